/** A piece of a value: literal text, or a reference, named by the text between its braces. */
export type Part = { kind: 'text'; text: string } | { kind: 'reference'; source: string }

/** The text between the braces: letters, digits, `_`, `.` and `-`. The first character is a letter, a digit or `_`. */
const sourceShape = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_.-]*`
const mark = new RegExp(String.raw`\$\$\{|\$\{(${sourceShape})\}`, 'gu')
const wholeSource = new RegExp(`^${sourceShape}$`, 'u')

/** Whether a name can be referred to. */
export const isReferable = (name: string): boolean => wholeSource.test(name)

/** How a reference is written. */
export const written = (source: string): string => `\${${source}}`

/**
 * The parts of a value. `${NAME}` and `${environment.NAME}` are references, `$${` is a literal `${`; everything else,
 * `${NAME:-default}` and `$NAME` too, is literal text. Never throws; linear in time.
 */
export function parseValue(value: string): Part[] {
  const parts: Part[] = []
  let text = ''
  let at = 0
  for (const found of value.matchAll(mark)) {
    text += value.slice(at, found.index)
    at = found.index + found[0].length
    const source = found[1]
    if (source === undefined) {
      text += '${'
      continue
    }
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
    parts.push({ kind: 'reference', source })
  }
  text += value.slice(at)
  if (text !== '') parts.push({ kind: 'text', text })
  return parts
}

/** The length and the references of a value. Resolving needs no more until it joins values. Nothing here is secret. */
export interface Outline {
  /** The length of the literal text, in UTF-16 units. */
  length: number
  /** All references in order; one that is written twice is in the list twice. */
  sources: readonly string[]
}

export function outlineOf(value: string): Outline {
  if (!value.includes('${')) return { length: value.length, sources: none }
  const parts = parseValue(value)
  return {
    length: parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0),
    sources: parts.flatMap((part) => (part.kind === 'reference' ? [detached(part.source)] : [])),
  }
}

/** Returns a copy of a part of a text. V8 makes long parts views of the whole, and an outline would keep its value in memory after a lock. */
const detached = (part: string): string => Buffer.from(part).toString()

const none: readonly string[] = []

/** Returns the value with its references renamed, `renames` being new sources by former ones; null if it has none of them. */
export function renameReferences(value: string, renames: ReadonlyMap<string, string>): string | null {
  const renamed = value.replaceAll(mark, (found, source: string | undefined) => {
    const to = source === undefined ? undefined : renames.get(source)
    return to === undefined ? found : written(to)
  })
  return renamed === value ? null : renamed
}
