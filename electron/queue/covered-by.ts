import type { Change } from './entry.ts'
import { fieldNames, type Fields } from './fields.ts'

/**
 * What its user saw in a row where these changes of it, in order, set something else: of each field that one sets, what the first of them was made
 * on. The base of that one alone says it: another, earlier or in conflict no longer, has been moved onto what others made of the field since.
 * `shown`: what stands for the base of a change that has none, of a row that was met under its name.
 */
export function coveredBy(changes: readonly Pick<Change, 'patch' | 'base'>[], shown: Fields = {}): Fields {
  const covered = changes.toReversed().map(({ patch, base }) => {
    const names = fieldNames.filter((name) => patch[name] !== undefined)
    return Object.fromEntries(names.map((name) => [name, (base ?? shown)[name]]))
  })
  return Object.assign({}, ...covered) as Fields
}
