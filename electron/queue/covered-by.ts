import type { Change } from './entry.ts'
import { editedFields, fieldNames, type Fields } from './fields.ts'

/**
 * Returns the values that the user saw before editing a row: for each field, its base in the first change that sets it. Any other base may
 * hold a colleague's later edit, because sync rebases it. `changes`: the changes of the row, in order. `shown`: the base to use for a change
 * that has none, because its row was bound to a record of its name.
 */
export function coveredBy(changes: readonly Pick<Change, 'patch' | 'base'>[], shown: Fields = {}): Fields {
  const covered = changes.toReversed().map(({ patch, base }) => {
    // A reseal keeps the text, so it covers no value.
    const edited = editedFields(patch)
    const names = fieldNames.filter((name) => edited[name] !== undefined)
    return Object.fromEntries(names.map((name) => [name, (base ?? shown)[name]]))
  })
  return Object.assign({}, ...covered) as Fields
}
