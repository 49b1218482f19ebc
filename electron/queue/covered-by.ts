import type { Change } from './entry.ts'
import { fieldNames, type Fields } from './fields.ts'

/**
 * Returns the values that the user saw before these changes of a row (in order) set others: for each field, the base of the first change
 * that sets it. Other bases, of an earlier change or of one no longer in conflict, were rebased onto a colleague's edits since. `shown`:
 * replaces the base of a change without one, whose row was bound to a record of its name.
 */
export function coveredBy(changes: readonly Pick<Change, 'patch' | 'base'>[], shown: Fields = {}): Fields {
  const covered = changes.toReversed().map(({ patch, base }) => {
    // A reseal keeps the text: it covers nothing.
    const names = fieldNames.filter((name) => patch[name] !== undefined && (name !== 'value' || patch.value?.reseal !== true))
    return Object.fromEntries(names.map((name) => [name, (base ?? shown)[name]]))
  })
  return Object.assign({}, ...covered) as Fields
}
