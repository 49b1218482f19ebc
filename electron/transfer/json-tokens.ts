/** A piece of a JSON text (RFC 8259): punctuation by its own character, or a string, number or word. White space is left out. */
export interface JsonToken {
  kind: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'scalar'
  at: number
  end: number
}

/** Where a text stops being JSON, and why. */
export interface JsonFault {
  at: number
  fault: string
}

const space = /[ \t\n\r]*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const matchEnd = (pattern: RegExp, text: string, at: number): number | null => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/**
 * Returns the position after the closing quote of the string that begins at `start`. A pattern would run out of stack in a text of
 * megabytes.
 */
const stringEnd = (text: string, start: number): number | JsonFault => {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) return at + 1
    if (code < 32)
      return { at, fault: code === 10 || code === 13 ? 'A string can’t span lines.' : 'A string can’t contain this character.' }
    if (code !== 92) continue
    const end = matchEnd(escape, text, at)
    if (end === null) return { at, fault: 'Not a valid escape sequence.' }
    at = end - 1
  }
  return { at: start, fault: 'The closing quote of this string is missing.' }
}

const isMark = (char: string | undefined): char is '{' | '}' | '[' | ']' | ',' | ':' => char !== undefined && '{}[],:'.includes(char)

/** Returns the next token at or after `from`, null at the end, or the problem. */
export const nextJsonToken = (text: string, from: number): JsonToken | JsonFault | null => {
  const at = matchEnd(space, text, from) ?? from
  const char = text[at]
  if (char === undefined) return null
  if (isMark(char)) return { kind: char, at, end: at + 1 }
  if (char === '"') {
    const end = stringEnd(text, at)
    return typeof end === 'number' ? { kind: 'string', at, end } : end
  }
  const end = matchEnd(scalar, text, at)
  if (end !== null) return { kind: 'scalar', at, end }
  return { at, fault: char === "'" ? 'Use double quotes for strings.' : 'Not a valid JSON value. Put text in double quotes.' }
}
