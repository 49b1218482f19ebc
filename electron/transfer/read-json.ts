import { createCollector } from './collect-entries.ts'
import { emptyGroupReason, listReason, nullNote } from './flat-path.ts'
import { nextJsonToken, type JsonToken } from './json-tokens.ts'
import { depthLimit, tooDeep, UnreadableText } from './read-limits.ts'
import type { FoundEntry, ReadText } from './read-text.ts'

/**
 * Reads a JSON object (RFC 8259) as variables. Nested objects become one name, joined by `__`; a list is invalid, with its path. Unlike
 * JSON.parse, it keeps a number as it was written, the line of each entry, and names that come twice. Throws UnreadableText, with the line,
 * for anything that is not an object in strict JSON. Linear in time.
 */
export function readJson(text: string): ReadText {
  const scan = createScanner(text.replace(/^\ufeff/, ''))
  const { add, refuse, read } = createCollector()

  /** `path` null: inside a list, whose content is checked and dropped. */
  const readValue = (line: number, path: readonly string[] | null, depth: number): void => {
    if (depth > depthLimit) throw tooDeep(line)
    if (scan.skip('{')) readObject(line, path, depth)
    else if (scan.skip('[')) {
      if (path !== null) refuse(line, path, listReason)
      readList(depth)
    } else {
      const leaf = scan.leaf()
      if (path !== null) add(line, path, leaf)
    }
  }

  const readObject = (line: number, path: readonly string[] | null, depth: number): void => {
    if (scan.skip('}')) {
      if (path !== null && path.length > 0) refuse(line, path, emptyGroupReason)
      return
    }
    do {
      const at = scan.line()
      const key = scan.string()
      if (!scan.skip(':')) throw scan.unexpected()
      readValue(at, path && [...path, key], depth + 1)
    } while (scan.skip(','))
    if (!scan.skip('}')) throw scan.unexpected()
  }

  const readList = (depth: number): void => {
    if (scan.skip(']')) return
    do readValue(scan.line(), null, depth + 1)
    while (scan.skip(','))
    if (!scan.skip(']')) throw scan.unexpected()
  }

  if (!scan.skip('{')) throw scan.isValue() ? notAnObject() : scan.unexpected()
  readObject(1, [], 0)
  if (!scan.isAtEnd()) throw scan.unexpected()
  return read()
}

const notAnObject = (): UnreadableText =>
  new UnreadableText('This JSON isn’t an object. Write it as {"NAME": "value"}: one name and one value for each variable.')

function notJson(isAtEnd: boolean, line: number): UnreadableText {
  const what = isAtEnd ? 'The text ends too early' : 'Something is out of place'
  return new UnreadableText(`This isn’t valid JSON. ${what} on line ${line}: fix it there, or choose another format.`)
}

function leafOf(source: string): Pick<FoundEntry, 'value' | 'type' | 'note'> {
  if (source.startsWith('"')) return { value: String(JSON.parse(source)), type: null, note: null }
  if (source === 'null') return { value: '', type: null, note: nullNote }
  return { value: source, type: source === 'true' || source === 'false' ? 'boolean' : 'number', note: null }
}

/** Returns a function from a position to its line. The positions must only go up: each line end is counted once. */
function createLineCounter(text: string): (at: number) => number {
  let line = 1
  let feed = text.indexOf('\n')
  return (at) => {
    for (; feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) line += 1
    return line
  }
}

/** Walks the tokens of a text. Each call looks at the current token, or takes it. */
function createScanner(text: string) {
  const lineOf = createLineCounter(text)
  let token = nextJsonToken(text, 0)

  const isValue = (): boolean => is('[') || is('string') || is('scalar')
  const is = (kind: JsonToken['kind']): boolean => token !== null && 'kind' in token && token.kind === kind
  const unexpected = (): UnreadableText => notJson(token === null, lineOf(token?.at ?? text.length))
  const take = (...kinds: JsonToken['kind'][]): string => {
    if (token === null || 'fault' in token || !kinds.includes(token.kind)) throw unexpected()
    const { at, end } = token
    token = nextJsonToken(text, end)
    return text.slice(at, end)
  }

  return {
    isValue,
    isAtEnd: () => token === null,
    line: () => lineOf(token?.at ?? text.length),
    unexpected,
    string: () => String(JSON.parse(take('string'))),
    leaf: () => leafOf(take('string', 'scalar')),
    skip(kind: '{' | '}' | '[' | ']' | ',' | ':'): boolean {
      if (!is(kind)) return false
      take(kind)
      return true
    },
  }
}
