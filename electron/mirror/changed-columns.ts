/**
 * The columns of `after` that are not as in `before`. SQLite writes every index of a column that an update sets, whether or not its value is
 * another one.
 */
export function changedColumns<Columns extends object>(before: Columns, after: Columns): Partial<Columns> {
  const changed: Partial<Columns> = {}
  for (const name in after) if (after[name] !== before[name]) changed[name] = after[name]
  return changed
}
