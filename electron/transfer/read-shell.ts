import { entryLimit, tooManyEntries } from './read-limits.ts'
import { markOverridden, type FoundEntry, type ReadEntry } from './read-text.ts'

/**
 * Reads a text of lines `export NAME='…'`, as the Shell export and the shells' own `export -p` write them. A shell ends the quotes to write a
 * quote, `'it'\''s'`, which dotenv doesn't know. Returns null if any line is not blank, a comment or such a line. Linear in time.
 */
export function readShell(text: string): ReadEntry[] | null {
  const found: FoundEntry[] = []
  let line = 1
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const taken = pattern.exec(text)
    if (taken === null) return null
    at = pattern.lastIndex
    for (const char of taken[0]) if (char === '\n') line += 1
    return taken
  }
  while (at < text.length) {
    if (take(emptyLine) !== null) continue
    const entry = { line, name: take(beginning)?.[1] ?? '' }
    let value = ''
    let piece = take(quoted)
    if (piece === null) return null
    for (; piece !== null; piece = take(quoted)) value += piece[1] ?? piece[2] ?? piece[3]
    if (at < text.length && take(emptyLine) === null) return null
    found.push({ ...entry, value, type: null, note: null })
    if (found.length > entryLimit) throw tooManyEntries()
  }
  return found.length === 0 ? null : markOverridden(found)
}

const emptyLine = /[ \t]*(?:#.*)?\n/y
const beginning = /export ([A-Za-z_]\w*)=/y
/** A piece in single quotes, and what is written between two of them: a quote in one of two ways, or a backslash. */
const quoted = /'([^']*)'|\\(['\\])|"('+)"/y
