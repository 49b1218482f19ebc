import type { VariableType } from '../../electron/bridge/rows.ts'
import { numberNote } from './number-note.ts'
import { typeWarning } from './type-warning.ts'
import { valueHint } from './value-hint.ts'

/** warn: worth a second look. plain: good to know. */
export interface Note {
  tone: 'warn' | 'plain'
  text: string
}

const warn = (text: string | null): Note | null => (text === null ? null : { tone: 'warn', text })
const plain = (text: string | null): Note | null => (text === null ? null : { tone: 'plain', text })

/** The most important warning about a value of a type while it is typed, or null. It can still be saved. */
export const valueNote = (type: VariableType | null, text: string): Note | null =>
  warn(typeWarning(type, text)) ??
  warn(valueHint(text)) ??
  plain(type === 'number' ? numberNote(text) : null) ??
  plain(text === '' ? 'Saves an empty value. The variable still exists.' : null)
