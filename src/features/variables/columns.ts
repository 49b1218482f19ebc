/** The columns that the keyboard walks. */
export const columns = ['name', 'value', 'type', 'secret', 'sync'] as const
export type Column = (typeof columns)[number]

/** The column `by` steps to the right, staying inside the table. */
export const besideColumn = (column: Column, by: number): Column =>
  columns[Math.min(Math.max(columns.indexOf(column) + by, 0), columns.length - 1)] ?? column
