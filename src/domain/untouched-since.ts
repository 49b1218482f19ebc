import type { ImportLine } from '../../electron/bridge/rows.ts'

/** A text with what a preview said of it. */
interface ReadText {
  text: string
  lines: readonly Pick<ImportLine, 'name' | 'line' | 'status'>[]
}

/** The part of a text that each name has: from its line to that of the next one. Of a name that comes twice, the last. */
const partsOf = ({ text, lines }: ReadText): Map<string, string> => {
  const rows = text.split('\n')
  const placed = lines.filter(({ line }) => line > 0).toSorted((a, b) => a.line - b.line)
  return new Map(
    placed.map(({ name, line }, at) => [
      name,
      rows
        .slice(line - 1, (placed[at + 1]?.line ?? rows.length + 1) - 1)
        .join('\n')
        .trimEnd(),
    ]),
  )
}

/**
 * The names that were changed, made or deleted elsewhere since a text was read, and not touched in the text meanwhile: saving it must leave
 * them alone. `base` is the text as it was read, `draft` the text as it is; the lines of both say what saving each would do now.
 */
export const untouchedSince = (base: ReadText, draft: ReadText): Set<string> => {
  const moved = base.lines.filter(({ status }) => status === 'changed' || status === 'added' || status === 'removed')
  if (moved.length === 0) return new Set()
  const before = partsOf(base)
  const after = partsOf(draft)
  return new Set(moved.map(({ name }) => name).filter((name) => before.get(name) === after.get(name)))
}
