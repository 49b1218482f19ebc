import { flatName } from './flat-path.ts'
import { entryLimit, expandedLimit, invalidLimit, tooManyEntries, tooManyInvalid, UnreadableText } from './read-limits.ts'
import { markOverridden, type FoundEntry, type InvalidPart, type ReadText } from './read-text.ts'

/** What a reader of nested texts finds, in order. Each call throws UnreadableText once there is more than an import may give. */
interface Collector {
  add(line: number, path: readonly string[], leaf: Pick<FoundEntry, 'value' | 'type' | 'note'>): void
  refuse(line: number, path: readonly string[], reasonOf: (path: readonly string[]) => string): void
  read(): ReadText
}

export function createCollector(): Collector {
  const found: FoundEntry[] = []
  const invalid: InvalidPart[] = []
  let size = 0
  // A group's name is repeated in the name of each entry, and the value of an anchor in each alias: a small text can give gigabytes.
  const grow = (path: readonly string[], value: string): void => {
    size += value.length
    for (const name of path) size += name.length
    if (size > expandedLimit) throw tooLarge()
  }
  return {
    add(line, path, leaf) {
      grow(path, leaf.value)
      if (found.push({ line, name: flatName(path), ...leaf }) > entryLimit) throw tooManyEntries()
    },
    refuse(line, path, reasonOf) {
      grow(path, '')
      if (invalid.push({ line, name: flatName(path), reason: reasonOf(path) }) > invalidLimit) throw tooManyInvalid()
    },
    read: () => ({ entries: markOverridden(found), invalid }),
  }
}

const tooLarge = (): UnreadableText =>
  new UnreadableText('With groups and aliases written out, this text is too large to import. Split it and import the parts.')
