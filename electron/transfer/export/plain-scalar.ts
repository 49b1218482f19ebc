import type { ExportEntry } from './export-entry.ts'

/**
 * The value as a bare number or boolean of JSON, where its type says so and the text is one to the letter: read back, it is the same
 * text. Null: it has to be written as a text.
 */
export function plainScalar({ value, type }: ExportEntry): string | null {
  if (type === 'boolean') return value === 'true' || value === 'false' ? value : null
  if (type === 'number') return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? value : null
  return null
}
