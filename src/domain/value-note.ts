import type { VariableType } from '../../electron/bridge/rows.ts'
import { jsonProblem } from './json-problem.ts'
import { invisibleCharacter } from './invisible-character.ts'
import { typeFlaw } from './type-flaw.ts'

/** Tells while `value` is typed that it does not read as `type`, and what can be done, or null. A warning only: it can still be saved. */
export const typeWarning = (type: VariableType | null, value: string): string | null => {
  const flaw = typeFlaw(type, value)
  return flaw === null ? null : `${flaw} You can save it anyway, or change the type to string.`
}

/** Where a value has white space at an end, easily typed by mistake: `ends with a line break`; null: nowhere. */
const edgeWords = (value: string): string | null => {
  if (value.trim() === '') return /[\r\n]/.test(value) ? 'is only white space' : value === '' ? null : 'is only spaces'
  const whatOf = (space: string) =>
    space === '' ? null : /[\r\n]/.test(space) ? 'a line break' : space.includes('\t') ? 'a tab' : 'a space'
  const first = whatOf(value.slice(0, value.length - value.trimStart().length))
  const last = whatOf(value.slice(value.trimEnd().length))
  if (first === null || last === null) return first === null ? last && `ends with ${last}` : `starts with ${first}`
  return first === last ? `starts and ends with ${first}` : `starts with ${first} and ends with ${last}`
}

/** The warning about a value while it is typed, as one sentence, or null. It can still be saved. */
export const valueHint = (value: string): string | null => {
  if (value.includes('\0')) return 'The value contains a NUL character, which an environment variable can’t hold.'
  const invisible = invisibleCharacter(value)
  if (invisible !== null) return `The value contains an invisible character (${invisible}). It’s saved as typed.`
  const edge = edgeWords(value)
  if (edge !== null) return `The value ${edge}. It’s saved as typed.`
  if (!/^[[{]/.test(value) || !/[\]}]$/.test(value)) return null
  const problem = jsonProblem(value)
  if (problem === null) return null
  return `This looks like JSON but isn’t valid (line ${problem.line}, column ${problem.column}): ${problem.message}`
}

/** Counts the digits between the zeros at both ends. A pattern for the last zeros would take time quadratic in the zeros before a digit. */
const significantDigits = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end).replace(/^0+/, '').length
}

/** How programs read a number in an unusual notation, as one sentence; null for a plain number. */
export const numberNote = (text: string): string | null => {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return null
  const digits = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(text.trim())
  const significant = digits === null ? 0 : significantDigits(digits.slice(1).join(''))
  if (significant > 15 && String(number) !== text.trim()) {
    return `Most programs read this as ${String(number)}: they keep about 15 digits. It’s saved as typed.`
  }
  if (digits === null || /^[+-]?0\d/.test(text.trim())) return `Programs may read this as ${String(number)}. It’s saved as typed.`
  return null
}

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
  plain(text === '' ? 'The value will be empty.' : null)
