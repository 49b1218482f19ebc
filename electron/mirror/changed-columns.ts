/**
 * Returns the columns of `after` that differ from `before`. SQLite writes every index of a column that an update sets, even if its value
 * stays the same.
 */
export function changedColumns<Columns extends object>(before: Columns, after: Columns): Partial<Columns> {
  const changed: Partial<Columns> = {}
  for (const name in after) if (after[name] !== before[name]) changed[name] = after[name]
  return changed
}
