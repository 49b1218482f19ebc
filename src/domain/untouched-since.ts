import type { ImportLine } from '../../electron/bridge/rows.ts'
import { textParts, type ReadText } from './text-parts.ts'

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
