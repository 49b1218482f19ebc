import type { ImportLine } from '../../electron/bridge/rows.ts'
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

/** The names of a text in the order of its lines. */
const namesOf = ({ lines }: ReadText): string[] =>
  lines
    .filter(({ line, name }) => line > 0 && name !== '')
    .toSorted((a, b) => a.line - b.line)
    .map(({ name }) => name)

/** The runs of other names between these, each by the names before and after it. */
const runsBetween = (names: readonly string[], stays: ReadonlySet<string>): Map<string, string[]> => {
  const runs = new Map<string, string[]>()
  let before = ''
  let run: string[] = []
  for (const name of [...names, '']) {
    if (name !== '' && !stays.has(name)) run.push(name)
    else {
      if (run.length > 0) runs.set(`${before}\n${name}`, run)
      before = name
      run = []
    }
  }
  return runs
}

/**
 * The former names that each new name may replace. New and removed lines are compared between the same two names that both texts keep. If as
 * many were added there as removed, they replace each other in order. Otherwise each new line may replace any removed one. A name that was
 * removed where nothing was added may be any new one: its line, or one next to it, may have been moved.
 */
export const formerNames = (base: ReadText, draft: ReadText): Map<string, readonly string[]> => {
  const [before, after] = [namesOf(base), namesOf(draft)]
  const now = new Set(after)
  const stays = new Set(before.filter((name) => now.has(name)))
  const removed = runsBetween(before, stays)
  const added = runsBetween(after, stays)
  const moved = [...removed].flatMap(([place, names]) => (added.has(place) ? [] : names))
  return new Map(
    [...added].flatMap(([place, names]) => {
      const were = removed.get(place) ?? []
      const isEach = were.length === names.length
      return names.map((name, at) => [name, [...(isEach ? were.slice(at, at + 1) : were), ...moved]] as const)
    }),
  )
}

/** A text with its preview, with what the variables of its names are. */
interface SecretText extends ReadText {
  lines: readonly Pick<ImportLine, 'name' | 'line' | 'status' | 'isSecret'>[]
}

/** The value in one part of a .env text, as it is written there. */
const writtenValue = (part: string | undefined): string => (part === undefined ? '' : part.slice(part.search(/[=:]/) + 1).trim())

/**
 * The former secrets that a line of a text may stand for, under another name: new lines by their place, and plain ones that took the value of
 * a removed secret. Of a name that was deleted elsewhere it's not known what it was: it counts as a secret, unless `hadNone`.
 */
export const formerSecrets = (base: SecretText, draft: SecretText, hadNone: boolean): Map<string, readonly string[]> => {
  const secrets = new Set(base.lines.filter((line) => line.isSecret || (line.status === 'added' && !hadNone)).map(({ name }) => name))
  const byPlace = formerNames(base, draft)
  const [before, after] = [textParts(base), textParts(draft)]
  const removed = Map.groupBy(
    [...secrets].filter((name) => !after.has(name)),
    (name) => writtenValue(before.get(name)),
  )
  const formerOf = ({ name, status, isSecret }: SecretText['lines'][number]): readonly string[] => {
    if (status === 'added') return byPlace.get(name)?.filter((was) => secrets.has(was)) ?? []
    const value = writtenValue(after.get(name))
    return status === 'changed' && !isSecret && value !== '' ? (removed.get(value) ?? []) : []
  }
  return new Map(draft.lines.map((line) => [line.name, formerOf(line)] as const).filter(([, former]) => former.length > 0))
}

/** How saving a line changes the secrecy of its variable, in two words and in a sentence; null: it doesn't. */
export const secrecyRemark = (
  { status, isSecret: isNow }: Pick<ImportLine, 'status' | 'isSecret'>,
  former: readonly string[],
  isSecret: boolean,
): { short: string; long: string } | null => {
  if (former.length > 0) {
    const may = `This may be ${former.slice(0, 3).join(' or ')}${former.length > 3 ? ' or another secret' : ''} under a new name`
    return isSecret
      ? { short: 'stays secret', long: `${may}, so it stays secret.` }
      : { short: 'no longer secret', long: `${may}. Its value won’t be masked any more.` }
  }
  if (status !== 'changed' || isSecret === isNow) return null
  return isSecret
    ? { short: 'becomes secret', long: 'Its value will be masked.' }
    : { short: 'no longer secret', long: 'Its value won’t be masked any more.' }
}
