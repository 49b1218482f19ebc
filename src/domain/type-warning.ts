import type { VariableType } from '../../electron/bridge/rows.ts'

/** Tells in one sentence that `value` does not read as `type`, or null. A warning only: the value can still be saved. */
export const typeWarning = (type: VariableType | null, value: string): string | null => {
  if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) {
    return 'This does not read as a number. It can be saved, or change the type to string.'
  }
  if (type === 'boolean' && !/^(true|false)$/i.test(value)) {
    return 'A boolean is true or false. This can be saved, or change the type to string.'
  }
  return null
}
