import type { ImportLine, Rename } from '../../electron/bridge/rows.ts'
import { oneLine } from './one-line.ts'

/** A text with its preview. */
export interface ReadText {
  text: string
  lines: readonly Pick<ImportLine, 'name' | 'line' | 'status'>[]
}

/**
 * The part of a text that each name has: from its line to that of the next one, without the comments between the two. Of a name that comes
 * twice, the last.
 */
export const textParts = ({ text, lines }: ReadText): Map<string, string> => {
  const rows = text.split('\n')
  const placed = lines.filter(({ line }) => line > 0).toSorted((a, b) => a.line - b.line)
  return new Map(
    placed.map(({ name, line }, at) => [
      name,
      withoutComments(rows.slice(line - 1, (placed[at + 1]?.line ?? rows.length + 1) - 1))
        .join('\n')
        .trimEnd(),
    ]),
  )
}

/** Without the comments and blank lines at the end. A row with a quote stays: it may be the last one of a value, `# a "b"` too. */
const withoutComments = (rows: readonly string[]): string[] =>
  rows.slice(0, rows.findLastIndex((row, at) => at === 0 || !/^\s*(?:#[^"'`]*)?$/.test(row)) + 1)

/** The value in one part of a .env text, as one line. */
export const partValue = (part: string | undefined): string => {
  if (part === undefined) return ''
  const text = part.slice(part.search(/[=:]/) + 1).trim()
  // Quotes without escapes are not shown: the text inside them is the value.
  return oneLine(/^'([^']*)'$/.exec(text)?.[1] ?? /^"([^"\\]*)"$/.exec(text)?.[1] ?? text)
}

/** The lines of a text, as it was read, that differ from the environment now: others, or another window, changed them. */
export const changedElsewhere = <L extends Pick<ImportLine, 'status'>>(lines: readonly L[]): L[] =>
  lines.filter(({ status }) => status === 'changed' || status === 'added' || status === 'removed')

/**
 * The names that were changed, made or deleted elsewhere since a text was read, and not touched in the text meanwhile: saving it must leave
 * them alone. `base` is the text as it was read, `draft` the text as it is; the lines of both say what saving each would do now.
 */
export const untouchedSince = (base: ReadText, draft: ReadText): Set<string> => {
  const moved = changedElsewhere(base.lines)
  if (moved.length === 0) return new Set()
  const before = textParts(base)
  const after = textParts(draft)
  return new Set(moved.map(({ name }) => name).filter((name) => before.get(name) === after.get(name)))
}

/** Stands for a line that can't be read, in a list of names. */
const unreadable = (line: number): string => `\0${line}`

/** The names of a text in the order of its lines. Of a name that comes twice, the last. */
const namesOf = ({ lines }: ReadText): string[] =>
  lines
    .filter(({ line, status }) => line > 0 && status !== 'overridden')
    .toSorted((a, b) => a.line - b.line)
    .map(({ name, line }) => (name === '' ? unreadable(line) : name))

/** As many names as possible that have the same order in both lists: the other common ones were moved. */
const unmovedNames = (before: readonly string[], after: readonly string[]): Set<string> => {
  const placeOf = new Map(before.map((name, at) => [name, at]))
  /** Of the sequences of each length, the one with the lowest last place, as a list from its end. */
  const best: { at: number; name: string; previous: (typeof best)[number] | undefined }[] = []
  for (const name of after) {
    const at = placeOf.get(name)
    if (at === undefined) continue
    let [low, high] = [0, best.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((best[middle]?.at ?? at) < at) low = middle + 1
      else high = middle
    }
    best[low] = { at, name, previous: best[low - 1] }
  }
  const unmoved = new Set<string>()
  for (let end = best.at(-1); end !== undefined; end = end.previous) unmoved.add(end.name)
  return unmoved
}

/** The runs of other names between the fixed ones, each by the fixed names before and after it. */
const runsBetween = (names: readonly string[], fixed: ReadonlySet<string>): Map<string, string[]> => {
  const runs = new Map<string, string[]>()
  let before = ''
  let run: string[] = []
  for (const name of [...names, '']) {
    if (name !== '' && !fixed.has(name)) run.push(name)
    else {
      if (run.length > 0) runs.set(`${before}\n${name}`, run)
      before = name
      run = []
    }
  }
  return runs
}

/** The one or two fixed names next to a run. */
const besides = (place: string): string[] => place.split('\n').filter((name) => name !== '')

export interface FoundRenames {
  /** Renames to propose, by their new names. */
  renames: Map<string, Rename>
  /** The former names that other new names may replace: too many lines changed there to propose one. */
  doubtful: Map<string, readonly string[]>
  /** The removed names that stay: a line that can't be saved may replace them, and a mistake is not a request to delete. */
  kept: Set<string>
}

/** Shorter values, such as true or 8080, may be equal by chance: they only tell a rename in the same place. */
const tellingLength = 8

/**
 * Finds the variables that have another name in the text. These are the pairs of `equal`, which have the same value, and one removed and one
 * added line alone between two lines that both texts have. If several lines changed there, it's in doubt which is which: as many added as
 * removed may replace each other in order, else each new line any removed one. Where nothing was removed, a new line may be one that was
 * removed just before or after the line next to it: one of the two was moved.
 */
export const findRenames = (base: ReadText, draft: ReadText, equal: readonly Rename[]): FoundRenames => {
  const before = namesOf(base)
  const namedBefore = new Set(before)
  const parts = textParts(draft)
  // Only of names that this text had: others may have added the variable since.
  const told = equal.filter(({ from, to }) => namedBefore.has(from) && !namedBefore.has(to))
  const isTelling = ({ to }: Rename) => writtenValue(parts.get(to)).length >= tellingLength
  const renames = new Map(told.filter(isTelling).map((each) => [each.to, each]))
  const equalOf = new Map(told.map(({ from, to }) => [to, from]))
  // A renamed line keeps its place under its former name.
  const after = namesOf(draft).map((name) => renames.get(name)?.from ?? name)
  const now = new Set(after)
  const unmoved = unmovedNames(before, after)
  const isOther = (name: string) => unmoved.has(name) || !now.has(name) || !namedBefore.has(name)
  const removed = runsBetween(before.filter(isOther), unmoved)
  const added = runsBetween(after.filter(isOther), unmoved)
  const statusOf = new Map(draft.lines.map(({ name, status }) => [name, status]))
  const isSaved = (name: string) => statusOf.has(name) && statusOf.get(name) !== 'invalid'
  const doubtful = new Map<string, readonly string[]>()
  const kept = new Set<string>()
  /** The names that were removed where nothing was added, by each unmoved name next to them. */
  const vanished = new Map<string, string[]>()
  for (const [place, names] of removed)
    if (!added.has(place)) for (const beside of besides(place)) vanished.set(beside, [...(vanished.get(beside) ?? []), ...names])
  for (const [place, changed] of added) {
    const left = new Set(removed.get(place))
    for (const to of changed) {
      const from = equalOf.get(to)
      if (from !== undefined && left.delete(from)) renames.set(to, { from, to })
    }
    const names = changed.filter((name) => !renames.has(name))
    const were = [...left]
    const [from, to] = were.length === 1 && names.length === 1 ? [were[0], names[0]] : []
    const isRename = from !== undefined && to !== undefined && statusOf.get(from) === 'removed' && statusOf.get(to) === 'added'
    // Where no line before or after it stayed, nothing says that it is in the same place.
    if (isRename && besides(place).length > 0) renames.set(to, { from, to })
    else {
      const isEach = were.length === names.length
      const may = removed.has(place) ? were : besides(place).flatMap((beside) => vanished.get(beside) ?? [])
      for (const [at, name] of names.entries()) {
        const former = isEach ? may.slice(at, at + 1) : may
        if (former.length > 0 && isSaved(name)) doubtful.set(name, former)
        else for (const each of former) kept.add(each)
      }
    }
  }
  return { renames, doubtful, kept }
}

/**
 * A line of a review. `renamed`: its variable had the name `from`. `kept`: it is not in the text, and stays. `looksSecret`: its new name is
 * that of a secret.
 */
export type ReviewLine = Omit<ImportLine, 'status'> & {
  status: ImportLine['status'] | 'renamed' | 'kept'
  from?: string
  looksSecret?: boolean
}

const keptReason = 'The line in its place can’t be saved. Fix that line first.'

/**
 * The lines of a review: joins the removal and the addition of each rename into one line, whose `isSecret` is that of the variable so far, and
 * makes no removals of the names that are kept.
 */
export const reviewLines = (lines: readonly ImportLine[], { renames, kept }: Pick<FoundRenames, 'renames' | 'kept'>): ReviewLine[] => {
  const removed = new Map(lines.flatMap((line) => (line.status === 'removed' ? [[line.name, line]] : [])))
  const joined = new Set([...renames.values()].map(({ from }) => from))
  return lines.flatMap((line): ReviewLine[] => {
    if (line.status === 'removed' && joined.has(line.name)) return []
    if (line.status === 'removed' && kept.has(line.name)) return [{ ...line, status: 'kept', reason: keptReason }]
    const former = line.status === 'added' ? removed.get(renames.get(line.name)?.from ?? '') : undefined
    if (former === undefined) return [line]
    const { name: from, isSecret, type } = former
    return [{ ...line, status: 'renamed', from, isSecret, type, looksSecret: line.isSecret }]
  })
}

/** A text with its preview, with what the variables of its names are. */
interface SecretText extends ReadText {
  lines: readonly Pick<ImportLine, 'name' | 'line' | 'status' | 'isSecret'>[]
}

/** The value in one part of a .env text, as it is written there. */
const writtenValue = (part: string | undefined): string => (part === undefined ? '' : part.slice(part.search(/[=:]/) + 1).trim())

/**
 * The former secrets that a line of a text may stand for, under another name: new lines by their place, if that is doubtful, and plain ones
 * that took the value of a removed secret. Of a name that was deleted elsewhere it's not known what it was: it counts as a secret, unless
 * `hadNone`.
 */
export const formerSecrets = (
  base: SecretText,
  draft: SecretText,
  doubtful: FoundRenames['doubtful'],
  hadNone: boolean,
): Map<string, readonly string[]> => {
  const secrets = new Set(base.lines.filter((line) => line.isSecret || (line.status === 'added' && !hadNone)).map(({ name }) => name))
  const [before, after] = [textParts(base), textParts(draft)]
  const removed = Map.groupBy(
    [...secrets].filter((name) => !after.has(name)),
    (name) => writtenValue(before.get(name)),
  )
  const formerOf = ({ name, status, isSecret }: SecretText['lines'][number]): readonly string[] => {
    if (status === 'added') return doubtful.get(name)?.filter((was) => secrets.has(was)) ?? []
    const value = writtenValue(after.get(name))
    return status === 'changed' && !isSecret && value !== '' ? (removed.get(value) ?? []) : []
  }
  return new Map(draft.lines.map((line) => [line.name, formerOf(line)] as const).filter(([, former]) => former.length > 0))
}

/** How saving a line changes the secrecy of its variable, in two words and in a sentence; null: it doesn't. */
export const secrecyRemark = (
  { status, isSecret: isNow }: Pick<ReviewLine, 'status' | 'isSecret'>,
  former: readonly string[],
  isSecret: boolean,
): { short: string; long: string } | null => {
  if (former.length > 0) {
    const may = `This may be ${former.slice(0, 3).join(' or ')}${former.length > 3 ? ' or another secret' : ''} under a new name`
    return isSecret
      ? { short: 'stays secret', long: `${may}, so it stays secret.` }
      : { short: 'no longer secret', long: `${may}. Its value won’t be masked any more.` }
  }
  if ((status !== 'changed' && status !== 'renamed') || isSecret === isNow) return null
  return isSecret
    ? { short: 'becomes secret', long: 'Its value will be masked.' }
    : { short: 'no longer secret', long: 'Its value won’t be masked any more.' }
}
