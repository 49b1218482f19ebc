/**
 * The columns of `after` that are not as in `before`. SQLite writes every index of a column that an update sets, whether or not its value is
 * another one.
 */
export const changedColumns = <Columns extends object>(before: Columns, after: Columns): Partial<Columns> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof Columns])) as Partial<Columns>
