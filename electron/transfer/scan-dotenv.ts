import { createHash } from 'node:crypto'
import { parse } from 'dotenv'

export interface ScannedEntry {
  /** The 1-based line of the name. */
  line: number
  name: string
  value: string
}

export interface ScannedDotenv {
  entries: ScannedEntry[]
  /** The lines, without their ends. `lines[0]` is line 1. */
  lines: string[]
  /** Whether the line of this 1-based number is part of an entry. */
  isUsed: (line: number) => boolean
}

/**
 * Reads a .env text with the `dotenv` package, and finds the lines of each entry. The package returns one plain object, without order,
 * duplicates and lines. So a mark is put after the first word of each line before reading. A mark in a name tells the line of the entry. A
 * mark in a value tells a further line of the value. Only dotenv knows the grammar. Linear in time.
 */
export function scanDotenv(text: string): ScannedDotenv {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const lines = plain.split('\n')
  const used = new Uint8Array(lines.length + 1)
  const separators = separatorsToHide(plain)
  const marks = markLines(separators.hide(plain))
  const read = readMarked(marks.text)
  const rawValue = rawValuesOf(marks.text, read)
  const entries = Object.entries(read).map(([markedName, markedValue]) => {
    const name = marks.remove(markedName)
    const line = marks.linesIn(markedName)[0] ?? 1
    used.fill(1, line, line + count(rawValue(markedName), '\n') + 1)
    for (const taken of marks.linesIn(markedValue)) used[taken] = 1
    return { line, name, value: separators.restore(marks.remove(markedValue)) }
  })
  return { entries, lines, isUsed: (line) => used[line] === 1 }
}

/** dotenv's fast reader: its default one is quadratic in blank lines. A property test holds the two equal. */
const readMarked = (text: string): Record<string, string> => parse(text, { fast: true })

/**
 * Returns the values of `readMarked`, but without the line feeds that were written as `\n` in double quotes: those left are line ends of
 * the file.
 */
function rawValuesOf(marked: string, read: Record<string, string>): (markedName: string) => string {
  const raw = marked.includes('\\n') ? readMarked(marked.replaceAll('\\n', '\\_')) : read
  return (markedName) => raw[markedName] ?? ''
}

const inLine = String.raw`[^\S\n\u2028\u2029]*`
/**
 * The beginning of a line up to the end of the word that would be its name. `export` is that word
 * only where no other follows it, in this line or after line ends.
 */
const firstWord = new RegExp(
  String.raw`^(?:${inLine}export(?=\s)${inLine}(?=[\w.-])|(?!${inLine}export(?=\s)\s*[\w.-])[^\w.\n\u2028\u2029-]*)[\w.-]+`,
  'gm',
)

function markLines(text: string) {
  const mark = markFor(text)
  const lineOf: number[] = []
  let line = 1
  let counted = 0
  const marked = text.replace(firstWord, (word, at: number) => {
    const end = at + word.length
    line += count(text.slice(counted, end), '\n')
    counted = end
    return `${word}${mark}${lineOf.push(line) - 1}_`
  })
  const pattern = new RegExp(`${mark}(\\d+)_`, 'g')
  return {
    text: marked,
    remove: (part: string) => (part.includes(mark) ? part.replace(pattern, '') : part),
    linesIn: (part: string) => (part.includes(mark) ? Array.from(part.matchAll(pattern), (found) => lineOf[Number(found[1])] ?? 1) : []),
  }
}

/** Returns characters of a name that are nowhere in the text, and that its author can't foresee. */
function markFor(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return `_${digest.slice(0, 16)}_`
}

/**
 * dotenv's regular expressions take U+2028 and U+2029 for line ends, and one of them is quadratic in their number. If a text has too many,
 * they are read as ordinary characters.
 */
function separatorsToHide(text: string) {
  const found = text.match(/[\u2028\u2029]/g)?.length ?? 0
  if (found * text.length < 50_000_000) return { hide: same, restore: same }
  return {
    hide: (part: string) => part.replaceAll('\u2028', '\ue228').replaceAll('\u2029', '\ue229'),
    restore: (part: string) => part.replaceAll('\ue228', '\u2028').replaceAll('\ue229', '\u2029'),
  }
}

const same = (part: string) => part

function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++
  return found
}
