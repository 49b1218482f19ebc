import { fieldNames, sameField } from '../../queue/fields.ts'
import type { RowImage } from './step.ts'

const kinds = ['project', 'environment', 'variable'] as const

/** What an edit did, as a menu says it: "Delete 3 variables", "Rename PORT to HTTP_PORT". Names are no secrets. */
export function labelOf(images: readonly RowImage[]): string {
  // What a deleted project took along is said by the project.
  const kind = kinds.find((each) => images.some((image) => image.kind === each)) ?? 'variable'
  const top = images.filter((image) => image.kind === kind)
  const [first] = top
  const verb = top.every(isCreated) ? 'Create' : top.every(isDeleted) ? 'Delete' : 'Change'
  if (first === undefined || top.length > 1) return `${verb} ${top.length} ${kind}s`
  const was = first.before?.name
  const is = first.after?.name
  if (verb === 'Change' && was !== undefined && is !== undefined && changed(first).includes('name')) return `Rename ${was} to ${is}`
  return `${verb} ${is ?? was ?? kind}`
}

const isCreated = (image: RowImage): boolean => image.before === null
const isDeleted = (image: RowImage): boolean => image.after === null
const changed = ({ before, after }: RowImage) => fieldNames.filter((field) => !sameField(before?.[field], after?.[field]))
