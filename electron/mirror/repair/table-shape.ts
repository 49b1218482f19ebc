import type { Value } from './record.ts'

/** A table as the newest schema has it. */
export interface TableShape {
  name: string
  columns: readonly { name: string; type: 'TEXT' | 'INTEGER'; isRequired: boolean; isRowid: boolean; hasDefault: boolean }[]
}

export type Columns = Record<string, string | number | null>

const rowKinds = new Set<unknown>(['project', 'environment', 'variable'])

/** Checks that tell rows of one table from those of another, beyond the types of the columns. */
const marks: Readonly<Record<string, (row: Columns) => boolean>> = {
  queue: (row) =>
    isJson(row['ancestors'], Array.isArray) && isJson(row['patch'], isObject) && (row['base'] == null || isJson(row['base'], isObject)),
  base: (row) => rowKinds.has(row['kind']) && row['remote_id'] !== '',
  working: (row) => rowKinds.has(row['kind']),
  history: (row) => row['whose'] === 'mine' || row['whose'] === 'theirs',
  superseded: (row) => typeof row['nonce'] === 'string' && /^[A-Za-z0-9+/]{16}$/.test(row['nonce']),
}

/**
 * Returns the row with these values, or null if they don't fit this table. `order`: the names of the columns in the file's order. Columns
 * that a newer schema added are null.
 */
export function toRow({ name, columns }: TableShape, order: readonly string[], rowid: number, values: readonly Value[]): Columns | null {
  if (values.length > order.length) return null
  const row: Columns = {}
  for (const column of columns) {
    const at = order.indexOf(column.name)
    const value = column.isRowid ? rowid : (values[at] ?? null)
    const fits = value === null ? !column.isRequired : typeof value === (column.type === 'TEXT' ? 'string' : 'number')
    if (!fits || (typeof value === 'object' && value !== null)) return null
    // A column that is left out gets its default.
    if (value !== null || !column.hasDefault) row[column.name] = value
  }
  return (marks[name]?.(row) ?? true) ? row : null
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function isJson(text: unknown, accept: (value: unknown) => boolean): boolean {
  if (typeof text !== 'string') return false
  try {
    return accept(JSON.parse(text))
  } catch {
    return false
  }
}
