import { getBase } from '../../mirror/base-layer.ts'
import { allEntries } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { isOperation, type Change, type Entry } from '../../queue/entry.ts'
import type { Fields } from '../../queue/fields.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { toQueueRow, whereOf } from './describe-change.ts'
import type { UnsentEdit, UnsentFields } from './unsent-file.ts'

export interface Unsent {
  edits: UnsentEdit[]
  requests: string[]
}

/** Which unsent edits to list: all, those of and below an environment, or those of and below the row of one change. */
export interface Which {
  environmentId?: string | undefined
  changeId?: string | undefined
}

/** Returns the unsent edits, identified by names and slugs. Values stay sealed. */
export function listUnsent(tx: Tx, which: Which): Unsent {
  const all = allEntries(tx)
  const wanted = all.filter(wantedOf(all, which))
  const changes = wanted.filter((queued): queued is Change => !isOperation(queued))
  return {
    edits: changes.flatMap((change) => toEdit(tx, change, all) ?? []),
    requests: wanted.filter(isOperation).map((operation) => {
      const { kind, name } = toQueueRow(tx, operation)
      return [kind, name, whereOf(tx, operation)].filter((part) => part !== '').join(' · ')
    }),
  }
}

function wantedOf(all: readonly Entry[], { environmentId, changeId }: Which): (queued: Entry) => boolean {
  if (changeId !== undefined) {
    const rowId = all.find((queued) => queued.id === changeId)?.rowId
    return (queued) => queued.rowId === rowId || (rowId !== undefined && queued.ancestors.includes(rowId))
  }
  if (environmentId === undefined) return () => true
  return (queued) => queued.rowId === environmentId || queued.ancestors.includes(environmentId)
}

function toEdit(tx: Tx, change: Change, all: readonly Entry[]): UnsentEdit | null {
  const { parent, ...whole }: Fields = { ...change.base, ...change.patch }
  const key = naturalKey(change.rowKind, change.base ?? {}) ?? naturalKey(change.rowKind, whole)
  if (key === null) return null
  const [nearest, second] = change.ancestors
  const environment = change.rowKind === 'variable' ? placeOf(tx, nearest, all) : undefined
  const project = placeOf(tx, change.rowKind === 'variable' ? second : nearest, all)
  const [leftEnvironment, leftProject] = parent === undefined ? [] : change.leaves.map((id) => placeOf(tx, id, all))
  return {
    kind: change.kind,
    subject: change.rowKind,
    ...(project && { project }),
    ...(environment && { environment }),
    ...(leftEnvironment && leftProject && { from: { project: leftProject, environment: leftEnvironment } }),
    key,
    set: toFile(change.patch),
    whole: toFile(whole),
    madeAt: new Date(change.createdAt).toISOString(),
  }
}

/** Returns the name and slug of a project or environment as the user sees it, else from base, else from its create. */
function placeOf(tx: Tx, id: string | undefined, all: readonly Entry[]): { name: string; slug: string } | undefined {
  if (id === undefined) return undefined
  const made = all.find((queued) => queued.rowId === id && queued.kind === 'create')
  const { name, slug } = (getWorking(tx, id) ?? getBase(tx, id))?.fields ?? (made && !isOperation(made) ? made.patch : {})
  return slug === undefined ? undefined : { name: name ?? slug, slug }
}

const toFile = ({ name, slug, value, type, isSecret }: Fields): UnsentFields => ({
  ...(name === undefined ? {} : { name }),
  ...(slug === undefined ? {} : { slug }),
  ...(value === undefined ? {} : { value: value.sealed }),
  ...(type === undefined ? {} : { type }),
  ...(isSecret === undefined ? {} : { isSecret }),
})
