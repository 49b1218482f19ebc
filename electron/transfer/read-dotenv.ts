import type { ImportWarning } from '../bridge/rows.ts'
import { findLooseKeys, type LooseKey } from './find-loose-keys.ts'
import { entryLimit, invalidLimit, tooManyEntries, tooManyInvalid } from './read-limits.ts'
import { scanDotenv, type ScannedEntry } from './scan-dotenv.ts'

export interface ReadDotenv {
  /** In file order. `line` is 1-based; `overridden`: a later entry of the same name counts instead. */
  entries: (ScannedEntry & { overridden: boolean; warnings: ImportWarning[] })[]
  /**
   * Lines that are no entry, not blank and not a comment; of a key without quotes, the first and those that may be entries. `reason` is a
   * sentence that quotes nothing of the text. `mayName`: the names that its author may have meant.
   */
  ignored: { line: number; reason: string; mayName: string[] }[]
}

/**
 * Reads a .env text, and finds what the user should know before importing it. Follows the `dotenv` package's grammar: byte order mark,
 * CRLF, `export`, quotes, comments, values over many lines. Linear in time. Throws UnreadableText, before doing any work, if more lines
 * look like entries than a configuration has. Lines inside a long quoted value count too.
 */
export function readDotenv(text: string): ReadDotenv {
  if (countAtMost(text, entryLine, entryLimit) > entryLimit) throw tooManyEntries()
  if (countAtMost(text, otherLine, markedLineLimit) > markedLineLimit) throw tooManyInvalid()
  const scanned = scanDotenv(text)
  const { lines, isUsed } = scanned
  const keys = findLooseKeys(scanned)
  const keyStarts = new Set(keys.map(({ first }) => first))
  const keyLines = linesOf(keys)
  const endlessLines = linesOf(keys.filter(({ isEnded }) => !isEnded))
  /** The name by the line of each entry that may still belong to a key without an end. */
  const doubtful = new Map(scanned.entries.flatMap(({ line, name }) => (endlessLines.has(line) ? [[line, name] as const] : [])))
  const cutLines = new Set(keys.map(({ entryLine }) => entryLine))
  const entries = scanned.entries.filter(({ line }) => !keyLines.has(line))
  const last = new Map(entries.map((entry, index) => [entry.name, index]))
  const ignored = lines.flatMap((content, index) => {
    const line = index + 1
    const doubted = doubtful.get(line)
    if (doubted !== undefined) return [{ line, reason: endlessKey, mayName: [doubted] }]
    if (keyLines.has(line)) return keyStarts.has(line) ? [{ line, reason: looseKey, mayName: [] }] : []
    return isUsed(line) || isBlankOrComment(content) ? [] : [{ line, reason: reasonFor(content), mayName: namesIn(content) }]
  })
  if (ignored.length > invalidLimit) throw tooManyInvalid()
  const read = entries.map((entry, index) => ({
    ...entry,
    overridden: last.get(entry.name) !== index,
    warnings: cutLines.has(entry.line) ? ['open-key' as const] : dotenvWarnings(entry, lines[entry.line - 1] ?? ''),
  }))
  return { entries: read, ignored }
}

const linesOf = (keys: readonly LooseKey[]): Set<number> =>
  new Set(keys.flatMap(({ first, last }) => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)))

/**
 * Matches the beginning of a line that may be an entry; each entry has such a line. The length of the name is bounded: an expression
 * remembers each character that it may have to give back, and would run out of memory on a line of megabytes.
 */
const entryLine = /^[^\S\n\r\u2028\u2029]*(?:export[^\S\n\r\u2028\u2029]+)?[\w.-]{1,4096}(?:\s*=|:\s)/gm
/**
 * Matches a line with a word on it. Each such line takes time and memory. The pattern ends at the next line: if it looked further, each
 * line would start a search of the whole rest.
 */
const otherLine = /^[^\n\r\u2028\u2029]*?[\w.-]/gm
const markedLineLimit = 400_000

function countAtMost(text: string, pattern: RegExp, limit: number): number {
  pattern.lastIndex = 0
  let count = 0
  while (count <= limit && pattern.test(text)) count += 1
  return count
}

const looseKey = 'This belongs to a key without quotes. Put the whole key in quotes.'
const endlessKey = 'This may belong to the key above, which has no END line. Put the whole key in quotes.'

const isBlankOrComment = (content: string) => /^\s*(?:#|$)/.test(content)

/** The first word of a line, and the text before its `=`. */
function namesIn(content: string): string[] {
  const line = content.trim().replace(/^export\s+/, '')
  return [line.split(/[\s=:]/, 1), line.split('=', 1)].flatMap(([name = '']) => name.trim())
}

function reasonFor(content: string): string {
  if (!content.includes('=')) return 'There’s no = here. Write NAME=value, or begin the line with #.'
  if (/^\s*(?:export\s+)?=/.test(content)) return 'There’s no name before the =. Write NAME=value.'
  return 'A name can contain the letters A to Z, digits, dots, dashes and underscores.'
}

/**
 * Finds where the grammar of .env reads a line differently than it looks. `content` is the line that the entry's name is on. A `#` cuts a
 * value that is not in quotes even without a space before it, and a quote that is not closed becomes a part of the value.
 */
function dotenvWarnings({ name, value }: ScannedEntry, content: string): ImportWarning[] {
  const rest = valuePart.exec(content)
  const written = rest?.[2]
  if (rest?.[1] !== name || written === undefined) return []
  const quote = /^\s*(["'`])/.exec(written)?.[1]
  // A value in quotes is returned without them. So a quote that comes first here is part of the value.
  const isKept = quote !== undefined && value.startsWith(quote)
  if (quote !== undefined && !isKept) {
    // dotenv falls back to the whole line, without its first and last quote.
    if (new RegExp(`(?<!\\\\)${quote}`).test(value)) return ['after-quote']
    return escapes[quote]?.test(value) === true || (quote === '"' && /\\\\[nr]/.test(written)) ? ['backslash'] : []
  }
  const warnings: ImportWarning[] = []
  if (isKept) warnings.push(written.split(quote).length === 2 ? 'open-quote' : 'after-quote')
  const hash = written.indexOf('#')
  if (hash === 0 || (hash > 0 && /\S/.test(written.charAt(hash - 1)))) warnings.push('cut-at-hash')
  return warnings
}

/** What other readers, and the tools that write for them, take for an escape between two of these quotes. dotenv keeps the backslash. */
const escapes: Readonly<Record<string, RegExp>> = { '"': /\\["\\$`!]/, "'": /\\['\\]/ }

/** A name, and what comes after its `=` or colon. */
const valuePart = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:(?=\s))(.*)$/
