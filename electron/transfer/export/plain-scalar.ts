import type { ExportEntry } from './export-entry.ts'

/**
 * Returns the value as a number or boolean of JSON, if its type says so and reading it back gives the same text. Null if it must be written
 * as a text.
 */
export function plainScalar({ value, type }: ExportEntry): string | null {
  if (type === 'boolean') return value === 'true' || value === 'false' ? value : null
  if (type === 'number') return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? value : null
  return null
}
