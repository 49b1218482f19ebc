import type { VariableType } from '../../electron/bridge/rows.ts'
import { hasReferences } from './reference-parts.ts'

/** Tells in one sentence that `value` does not read as `type`, or null. What a value with references will be is not known here. */
export const typeFlaw = (type: VariableType | null, value: string): string | null => {
  const flaw = flawOf(type, value)
  return flaw !== null && hasReferences(value) ? null : flaw
}

/** The same, with what to do about it in the table. */
export const typeDoubt = (type: VariableType | null, value: string): string | null => {
  const flaw = typeFlaw(type, value)
  return flaw === null ? null : `${flaw} Edit it, or change the type to string.`
}

const flawOf = (type: VariableType | null, value: string): string | null => {
  if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) return 'This isn’t a number.'
  if (type === 'boolean' && !/^(true|false)$/i.test(value)) return 'A boolean is true or false.'
  return null
}
