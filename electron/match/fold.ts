/**
 * Returns a character code as the search compares it: in lower case. Each code stays one code, so that positions are those of the name. The
 * few characters whose lower case is longer are not changed.
 */
export function foldCode(code: number): number {
  if (code >= 65 && code <= 90) return code + 32
  if (code < 128) return code
  const small = String.fromCharCode(code).toLowerCase()
  return small.length === 1 ? small.charCodeAt(0) : code
}

/** Returns a text as the search compares it: folded, without white space, at most `limit` codes. */
export const foldQuery = (text: string, limit = 64): Uint16Array =>
  Uint16Array.from(text.replaceAll(/\s+/g, '').slice(0, limit).split(''), (unit) => foldCode(unit.charCodeAt(0)))

/** Returns the sort of a folded code, one of 32: each letter has a sort of its own, other characters share one. */
export const sortBit = (code: number): number => {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  if (code >= 48 && code <= 57) return 1 << 26
  if (code === 95) return 1 << 27
  return 1 << (28 + (code & 3))
}

const isSmall = (code: number): boolean => code >= 97 && code <= 122
const isBig = (code: number): boolean => code >= 65 && code <= 90
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isOfWord = (code: number): boolean => isSmall(code) || isBig(code) || isDigit(code) || code >= 128

/** Returns whether a word begins at a code, from the code before it: after a separator, at a capital of camelCase, at the first digit. */
export function beginsWord(before: number, code: number): boolean {
  if (!isOfWord(code)) return false
  if (!isOfWord(before)) return true
  return (isBig(code) && isSmall(before)) || (isDigit(code) && !isDigit(before))
}
