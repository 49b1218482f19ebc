import type { VariableType } from '../../electron/bridge/rows.ts'
import { booleanWord } from './boolean-word.ts'

/** line: a field that grows. code: the large editor. */
export type ValueLook = 'switch' | 'line' | 'code'

/** Longest text without a line break that a growing line shows well, in UTF-16 units. */
const longLine = 240

/** Whether a text is meant as JSON: an object or a list, as far as its two ends tell. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text)

/** The best kind of editor for a value. */
export const valueLook = (type: VariableType | null, text: string): ValueLook => {
  if (type === 'boolean' && booleanWord(text) !== null) return 'switch'
  if (/[\r\n]/.test(text) || text.length > longLine || (type === 'string' && looksLikeJson(text))) return 'code'
  return 'line'
}
