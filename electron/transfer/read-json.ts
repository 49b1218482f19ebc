import { createCollector, type Leaf } from './collect-entries.ts'
import { emptyGroupReason, groupReason, listReason, nullNote, pathInWords } from './flat-path.ts'
import { nextJsonToken, type JsonToken } from './json-tokens.ts'
import { depthLimit, entryLimit, tooDeep, tooManyEntries, UnreadableText } from './read-limits.ts'
import type { FoundEntry, ReadText } from './read-text.ts'

/** An object in a list, with the values of its fields that are no groups. */
export interface ListedObject {
  line: number
  leaves: ReadonlyMap<string, Leaf>
}

/** A JSON text, read. `lists`: the objects in each wanted list. */
export interface JsonText extends ReadText {
  lists: ReadonlyMap<string, readonly ListedObject[]>
}

/**
 * Reads a JSON object (RFC 8259) as variables. Nested objects become one name, joined by `__`; a list is invalid, with its path. Also reads
 * the lists in which other programs write variables: of objects with a `key` or `name` and a `value`, of texts `NAME=value`, and of the
 * containers of `docker inspect`. Unlike JSON.parse, it keeps a number as it was written, the line of each entry, and names that come twice.
 * Throws UnreadableText, with the line, for anything else, and for what isn't strict JSON. Linear in time. `wantedLists`: names of lists,
 * directly in the outer object, whose objects are returned too.
 */
export function readJson(text: string, wantedLists: ReadonlySet<string> = new Set()): JsonText {
  const scan = createScanner(text.replace(/^\ufeff/, ''))
  const { add, refuse, read } = createCollector()
  const lists = new Map<string, ListedObject[]>()

  /** `path` null: its content is checked and dropped, as inside a list. */
  const readValue = (line: number, path: readonly string[] | null, depth: number): void => {
    if (depth > depthLimit) throw tooDeep(line)
    if (scan.skip('{')) readObject(line, path, depth)
    else if (scan.skip('[')) {
      if (path !== null) refuse(line, path, listReason)
      const [name] = path?.length === 1 ? path : []
      if (name !== undefined && wantedLists.has(name)) lists.set(name, readListed())
      else readItems((at) => readValue(at, null, depth + 1))
    } else {
      const leaf = scan.leaf()
      if (path !== null) add(line, path, leaf)
    }
  }

  const readObject = (line: number, path: readonly string[] | null, depth: number): void => {
    const count = readFields((key, at) => readValue(at, path && [...path, key], depth + 1))
    if (count === 0 && path !== null && path.length > 0) refuse(line, path, emptyGroupReason)
  }

  /** Reads the rest of an object whose `{` was read, and returns how many fields it has. */
  const readFields = (each: (key: string, line: number) => void): number => {
    let count = 0
    if (scan.skip('}')) return count
    do {
      const at = scan.line()
      const key = scan.string()
      if (!scan.skip(':')) throw scan.unexpected()
      each(key, at)
      count += 1
    } while (scan.skip(','))
    if (!scan.skip('}')) throw scan.unexpected()
    return count
  }

  /** Reads the rest of an object whose `{` was read, and returns its single values. `readOther` reads each list and object in it. */
  const readLeaves = (readOther: (key: string, line: number) => void): Map<string, Leaf> => {
    const leaves = new Map<string, Leaf>()
    readFields((key, at) => {
      if (scan.isLeaf()) leaves.set(key, scan.leaf())
      else readOther(key, at)
    })
    return leaves
  }

  /** Reads the rest of a list directly in the outer object, and returns the objects in it. */
  const readListed = (): ListedObject[] => {
    const objects: ListedObject[] = []
    readItems((line) => {
      if (!scan.skip('{')) return readValue(line, null, 2)
      const leaves = readLeaves((_, at) => readValue(at, null, 3))
      if (objects.push({ line, leaves }) > entryLimit) throw tooManyEntries()
    })
    return objects
  }

  /** Reads the rest of a list whose `[` was read. */
  const readItems = (each: (line: number) => void): void => {
    if (scan.skip(']')) return
    do each(scan.line())
    while (scan.skip(','))
    if (!scan.skip(']')) throw scan.unexpected()
  }

  const readVariable = (line: number): void => {
    if (scan.is('string')) return readAssignment(line)
    if (!scan.skip('{')) throw notAnObject()
    let isContainer = false
    /** Why the value can't be imported, if there is one. */
    let whyNot = noValueReason
    const leaves = readLeaves((key, at) => {
      if (key === 'Config' && scan.skip('{')) {
        isContainer = true
        readFields((inner, innerAt) => {
          if (inner === 'Env' && scan.skip('[')) readItems(readAssignment)
          else readValue(innerAt, null, 3)
        })
      } else {
        if (key === 'value') whyNot = scan.is('[') ? listReason : groupReason
        readValue(at, null, 2)
      }
    })
    const name = leaves.get('key') ?? leaves.get('name')
    const value = leaves.get('value')
    if (isContainer) return
    if (name === undefined) throw notAnObject()
    if (value === undefined) refuse(line, [name.value], whyNot)
    else add(line, [name.value], value)
  }

  const readAssignment = (line: number): void => {
    const text = scan.string()
    const end = text.indexOf('=')
    if (end < 1) throw notAnObject()
    add(line, [text.slice(0, end)], { value: text.slice(end + 1), type: null, note: null })
  }

  if (scan.skip('{')) readObject(1, [], 0)
  else if (scan.skip('[') && !scan.is(']')) readItems(readVariable)
  else throw scan.isValue() ? notAnObject() : scan.unexpected()
  if (!scan.isAtEnd()) throw scan.unexpected()
  return { ...read(), lists }
}

const noValueReason = (path: readonly string[]): string =>
  `${pathInWords(path)} has no value here. Some programs list secrets by name only.`

const notAnObject = (): UnreadableText =>
  new UnreadableText('This JSON isn’t an object. Write it as {"NAME": "value"}, or as a list of {"key": "NAME", "value": "value"}.')

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

  const isLeaf = (): boolean => is('string') || is('scalar')
  const is = (kind: JsonToken['kind']): boolean => token !== null && 'kind' in token && token.kind === kind
  const unexpected = (): UnreadableText => notJson(token === null, lineOf(token?.at ?? text.length))
  const take = (...kinds: JsonToken['kind'][]): string => {
    if (token === null || 'fault' in token || !kinds.includes(token.kind)) throw unexpected()
    const { at, end } = token
    token = nextJsonToken(text, end)
    return text.slice(at, end)
  }

  return {
    is,
    isLeaf,
    isValue: () => is(']') || isLeaf(),
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
