import { scanDotenv } from './scan-dotenv.ts'

export interface ReadDotenv {
  /** In file order. `line` is 1-based; `overridden`: a later entry of the same name counts instead. */
  entries: { line: number; name: string; value: string; overridden: boolean }[]
  /** Lines that gave nothing and are neither blank nor a comment. `reason` is a sentence without a word of the text. */
  ignored: { line: number; reason: string }[]
}

/**
 * Everything a person must know about a .env text before importing it. Read by the `dotenv`
 * package's grammar: byte order mark, CRLF, `export`, quotes, comments, values over many lines.
 * Never throws on any text; linear in time.
 */
export function readDotenv(text: string): ReadDotenv {
  const { entries, lines, isUsed } = scanDotenv(text)
  const last = new Map(entries.map((entry, index) => [entry.name, index]))
  return {
    entries: entries.map((entry, index) => ({ ...entry, overridden: last.get(entry.name) !== index })),
    ignored: lines.flatMap((content, index) =>
      isUsed(index + 1) || isBlankOrComment(content) ? [] : [{ line: index + 1, reason: reasonFor(content) }],
    ),
  }
}

const isBlankOrComment = (content: string) => /^\s*(?:#|$)/.test(content)

function reasonFor(content: string): string {
  if (!content.includes('=')) return 'There is no = on this line. Write it as NAME=value, or put # before a comment.'
  if (/^\s*(?:export\s+)?=/.test(content)) return 'There is no name before the =. Write it as NAME=value.'
  return 'The name before the = may hold only letters, digits, dots, dashes and underscores.'
}
