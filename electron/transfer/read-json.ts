import { emptyGroupReason, flatName, listReason, nullNote } from './flat-path.ts'
import { depthLimit, entryLimit, invalidLimit, tooDeep, tooManyEntries, tooManyInvalid, UnreadableText } from './read-limits.ts'
import { markOverridden, type FoundEntry, type InvalidPart, type ReadText } from './read-text.ts'

/**
 * Reads a JSON object (RFC 8259) as variables. Nested objects become one name, joined by `__`; a list is invalid, with its path.
 * Other than JSON.parse it keeps what matters here: a number as it was written, the line of each entry, and names that come twice.
 * Throws UnreadableText, with the line, for anything that is not an object in strict JSON. Linear in time.
 */
export function readJson(text: string): ReadText {
  const scan = createScanner(text.replace(/^\ufeff/, ''))
  const found: FoundEntry[] = []
  const invalid: InvalidPart[] = []

  const add = (line: number, path: readonly string[], leaf: Pick<FoundEntry, 'value' | 'type' | 'note'>): void => {
    if (found.push({ line, name: flatName(path), ...leaf }) > entryLimit) throw tooManyEntries()
  }
  const refuse = (line: number, path: readonly string[], reason: string): void => {
    if (invalid.push({ line, name: flatName(path), reason }) > invalidLimit) throw tooManyInvalid()
  }

  /** `path` null: inside a list, whose content is checked and dropped. */
  const readValue = (line: number, path: readonly string[] | null, depth: number): void => {
    if (depth > depthLimit) throw tooDeep(line)
    const token = scan.next()
    if (token.kind === '{') readObject(line, path, depth)
    else if (token.kind === '[') {
      if (path !== null) refuse(line, path, listReason(path))
      readList(depth)
    } else if (token.kind === 'string' || token.kind === 'number' || token.kind === 'word') {
      if (path !== null) add(line, path, leafOf(token))
    } else throw scan.unexpected()
  }

  const readObject = (line: number, path: readonly string[] | null, depth: number): void => {
    if (scan.skip('}')) {
      if (path !== null && path.length > 0) refuse(line, path, emptyGroupReason(path))
      return
    }
    do {
      const key = scan.next()
      if (key.kind !== 'string') throw scan.unexpected()
      const at = scan.line()
      if (!scan.skip(':')) throw scan.unexpected()
      readValue(at, path && [...path, key.text], depth + 1)
    } while (scan.skip(','))
    if (!scan.skip('}')) throw scan.unexpected()
  }

  const readList = (depth: number): void => {
    if (scan.skip(']')) return
    do readValue(scan.line(), null, depth + 1)
    while (scan.skip(','))
    if (!scan.skip(']')) throw scan.unexpected()
  }

  const first = scan.next()
  if (first.kind === '[' || first.kind === 'string' || first.kind === 'number' || first.kind === 'word') throw notAnObject()
  if (first.kind !== '{') throw scan.unexpected()
  readObject(1, [], 0)
  if (scan.next().kind !== 'end') throw scan.unexpected()
  return { entries: markOverridden(found), invalid }
}

const notAnObject = (): UnreadableText =>
  new UnreadableText('This JSON isn’t an object. Write it as {"NAME": "value"}: one name and one value for each variable.')

function notJson(isAtEnd: boolean, line: number): UnreadableText {
  const what = isAtEnd ? 'The text ends too early' : 'Something is out of place'
  return new UnreadableText(`This isn’t valid JSON. ${what} on line ${line}: fix it there, or choose another format.`)
}

interface Token {
  kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'number' | 'word' | 'end'
  text: string
}

function leafOf({ kind, text }: Token): Pick<FoundEntry, 'value' | 'type' | 'note'> {
  if (kind === 'number') return { value: text, type: 'number', note: null }
  if (kind === 'string') return { value: text, type: null, note: null }
  return text === 'null' ? { value: '', type: null, note: nullNote } : { value: text, type: 'boolean', note: null }
}

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /(?:true|false|null)(?![\w$])/y

/** Gives the line of a place, for places that only go up: it counts each line end once. */
function createLineCounter(text: string): (at: number) => number {
  let line = 1
  let feed = text.indexOf('\n')
  return (at) => {
    for (; feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) line += 1
    return line
  }
}

/** Where the string that begins at `start` ends, after its closing quote; null: it does not. */
function endOfString(text: string, start: number): number | null {
  let end = start + 1
  for (let code = text.charCodeAt(end); code !== 34; code = text.charCodeAt(end)) {
    if (Number.isNaN(code)) return null
    end += code === 92 ? 2 : 1
  }
  return end + 1
}

function createScanner(text: string) {
  let at = 0
  let tokenAt = 0
  const lineOf = createLineCounter(text)

  const unexpected = (): UnreadableText => notJson(tokenAt >= text.length, lineOf(tokenAt))
  const skipSpace = (): void => {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
    tokenAt = at
  }
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) at += found.length
    return found
  }
  const readString = (): Token => {
    const end = endOfString(text, at)
    if (end === null) throw unexpected()
    const source = text.slice(at, end)
    at = end
    try {
      return { kind: 'string', text: String(JSON.parse(source)) }
    } catch {
      throw unexpected()
    }
  }

  return {
    /** The line of the latest token. */
    line: () => lineOf(tokenAt),
    unexpected,
    /** Takes the next character when it is this one. */
    skip(character: '}' | ']' | ',' | ':'): boolean {
      skipSpace()
      if (text[at] !== character) return false
      at += 1
      return true
    },
    next(): Token {
      skipSpace()
      const character = text[at]
      if (character === undefined) return { kind: 'end', text: '' }
      if (character === '"') return readString()
      if (character === '{' || character === '}' || character === '[' || character === ']' || character === ':' || character === ',') {
        at += 1
        return { kind: character, text: character }
      }
      const digits = match(number)
      if (digits !== null) return { kind: 'number', text: digits }
      const letters = match(word)
      if (letters !== null) return { kind: 'word', text: letters }
      throw unexpected()
    },
  }
}
