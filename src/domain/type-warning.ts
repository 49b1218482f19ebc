import type { VariableType } from '../../electron/bridge/rows.ts'
import { typeFlaw } from './type-flaw.ts'

/** Tells while `value` is typed that it does not read as `type`, and what can be done, or null. A warning only: it can still be saved. */
export const typeWarning = (type: VariableType | null, value: string): string | null => {
  const flaw = typeFlaw(type, value)
  return flaw === null ? null : `${flaw} You can save it anyway, or change the type to string.`
}
