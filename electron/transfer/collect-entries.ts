import { flatName, halfCharacterReason } from './flat-path.ts'
import { entryLimit, expandedLimit, invalidLimit, tooManyEntries, tooManyInvalid, UnreadableText } from './read-limits.ts'
import { markOverridden, type FoundEntry, type InvalidPart, type ReadText } from './read-text.ts'

/** The content of one entry. */
export type Leaf = Omit<FoundEntry, 'line' | 'name'>

/** Collects what a reader of nested texts finds, in order. Each call throws UnreadableText if an import may not have so much. */
interface Collector {
  add(line: number, path: readonly string[], leaf: Leaf): void
  refuse(line: number, path: readonly string[], reasonOf: (path: readonly string[]) => string): void
  read(): ReadText
}

export function createCollector(): Collector {
  const found: FoundEntry[] = []
  const invalid: InvalidPart[] = []
  let size = 0
  // The name of a group is part of the name of each of its entries, and each alias repeats the value of its anchor: a small text can expand
  // to gigabytes.
  const grow = (path: readonly string[], value: string): void => {
    size += value.length
    for (const name of path) size += name.length
    if (size > expandedLimit) throw tooLarge()
  }
  const refuse: Collector['refuse'] = (line, path, reasonOf) => {
    grow(path, '')
    if (invalid.push({ line, name: flatName(path), reason: reasonOf(path) }) > invalidLimit) throw tooManyInvalid()
  }
  return {
    add(line, path, leaf) {
      if (!leaf.value.isWellFormed() || !path.every((name) => name.isWellFormed())) return refuse(line, path, halfCharacterReason)
      grow(path, leaf.value)
      if (found.push({ line, name: flatName(path), ...leaf }) > entryLimit) throw tooManyEntries()
    },
    refuse,
    read: () => ({ entries: markOverridden(found), invalid }),
  }
}

const tooLarge = (): UnreadableText =>
  new UnreadableText('With groups and aliases written out, this text is too large to import. Split it and import the parts.')
