import type { ExportEntry } from './export-entry.ts'

/**
 * Returns the value as a number or boolean of JSON, if its type says so and readers don't change it: most read numbers as 64-bit floats, and
 * YAML readers don't agree on exponents. Null if it must be written as a text.
 */
export function plainScalar({ value, type }: ExportEntry): string | null {
  if (type === 'boolean') return value === 'true' || value === 'false' ? value : null
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(value) && String(Number(value)) === value ? value : null
  return null
}
