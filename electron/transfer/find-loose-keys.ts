import type { ScannedDotenv } from './scan-dotenv.ts'

export interface LooseKey {
  /** The 1-based line of the entry that has only the first line of the key as its value; null if no name is before the key. */
  entryLine: number | null
  /** The 1-based lines that can't be read: from `first` to `last`, which is less if there are none. */
  first: number
  last: number
  /** Whether the key has its END line. Without it, the last lines may be variables with empty values: `MzEf=` and `DEBUG=` look alike. */
  isEnded: boolean
}

/**
 * Finds PEM and PGP keys without quotes. dotenv reads such a key line by line, and its last line may look like an entry: `MzEf==` would be a
 * variable whose name is a piece of the key, and names aren't encrypted.
 */
export function findLooseKeys({ entries, lines, isUsed }: ScannedDotenv): LooseKey[] {
  const entryAt = new Map(entries.map((entry) => [entry.line, entry]))
  const keys: LooseKey[] = []
  let entry: (typeof entries)[number] | undefined
  for (let line = 1; line <= lines.length; line++) {
    const content = (at: number) => lines[at - 1]?.trim() ?? ''
    entry = entryAt.get(line) ?? entry
    if (!beginning.test(content(line))) continue
    const isCut = isUsed(line) && entry !== undefined && beginning.test(entry.value)
    // Otherwise it's a key in quotes.
    if (isUsed(line) && !isCut) continue
    let last = line
    while (last < lines.length && keyText.test(content(last + 1))) last++
    const isEnded = ending.test(content(last + 1))
    if (isEnded) last++
    keys.push({ ...(isCut && entry ? { entryLine: entry.line, first: line + 1 } : { entryLine: null, first: line }), last, isEnded })
    line = last
  }
  return keys
}

const beginning = /-----BEGIN [^-]+-----$/
const ending = /^-----END [^-]+-----/
/** Base64, a blank line, the checksum of PGP, or a header that belongs to the key. */
const keyText = /^(?:[A-Za-z0-9+/]*={0,2}|=[A-Za-z0-9+/]{4}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): .*)$/
