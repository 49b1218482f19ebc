import { readDotenv } from './read-dotenv.ts'

export interface ReadNames {
  /** Each once, in the order of the text. */
  names: string[]
  /** 1-based lines of a .env that are not entries. They may be part of a value, so they are not read as names. */
  skipped: number[]
}

/**
 * The names in a text: of a .env those of its entries, whose values are not looked at; of a text without any entry its words. Throws
 * UnreadableText as `readDotenv` does.
 */
export function readNames(text: string): ReadNames {
  const { entries, ignored } = readDotenv(text)
  if (entries.length > 0) return { names: unique(entries.map(({ name }) => name)), skipped: ignored.map(({ line }) => line) }
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const words = ignored.flatMap(({ line }) => lines[line - 1]?.split(/[\s,;]+/) ?? [])
  return { names: unique(words.filter((word) => word !== '')), skipped: [] }
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]
