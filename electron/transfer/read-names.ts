import { readDotenv } from './read-dotenv.ts'
import { readShell } from './read-shell.ts'

export interface ReadNames {
  /** Each once, in the order of the text. */
  names: string[]
  /** 1-based lines of a .env that are not entries. Such a line may be part of a value, so it is not read as a name. */
  skipped: number[]
}

/**
 * Returns the names in a text. In a .env these are the names of its entries; their values are ignored. In a text without entries they are
 * its words, of which those in quotes can have spaces. Throws UnreadableText as `readDotenv` does.
 */
export function readNames(text: string): ReadNames {
  const exports = readShell(text)
  if (exports !== null) return { names: unique(exports.map(({ name }) => name)), skipped: [] }
  const { entries, ignored } = readDotenv(text)
  if (entries.length > 0) return { names: unique(entries.map(({ name }) => name)), skipped: ignored.map(({ line }) => line) }
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const words = ignored.flatMap(({ line }) => [...(lines[line - 1] ?? '').matchAll(word)])
  return { names: unique(words.map(([whole, double, single]) => double ?? single ?? whole)), skipped: [] }
}

/** A text in quotes, or what is between spaces, commas and semicolons. */
const word = /"([^"]+)"|'([^']+)'|[^\s,;]+/g

const unique = (names: readonly string[]): string[] => [...new Set(names)]
