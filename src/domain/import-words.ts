import type { ImportLine, ImportWarning } from '../../electron/bridge/rows.ts'
import { isShellName } from '../../electron/transfer/shell-name-problem.ts'
import type { ReviewLine } from './text-parts.ts'

/** The effect of a line to import or to save on the environment. */
export const importStatusWords: { readonly [S in ReviewLine['status']]: string } = {
  added: 'New',
  changed: 'Changed',
  unchanged: 'Same',
  removed: 'Deleted',
  renamed: 'Renamed',
  kept: 'Kept',
  invalid: 'Invalid',
  overridden: 'Overridden',
}

/** A likely mistake of a line; odd-name: shells have no variables of such a name. */
export type LineWarning = ImportWarning | 'odd-name'

/** The warnings about a line. None about a name that the environment already has: someone chose it. */
export const lineWarnings = ({ name, status, warnings }: Pick<ReviewLine, 'name' | 'status' | 'warnings'>): readonly LineWarning[] =>
  (status === 'added' || status === 'renamed') && !isShellName(name) ? ['odd-name', ...warnings] : warnings

/** The lines in the order of their text, those to look at before anything is imported first: invalid ones, then ones with a warning. */
export const troubledFirst = (lines: readonly ImportLine[]): ImportLine[] => {
  const rank = (line: ImportLine) => (line.status === 'invalid' ? 0 : lineWarnings(line).length > 0 ? 1 : 2)
  return lines.toSorted((a, b) => rank(a) - rank(b))
}

/** The likely mistakes of a line: in a few words for the line itself, and in a sentence that says what to do. */
export const importWarningWords: { readonly [W in LineWarning]: { short: string; long: string } } = {
  'odd-name': { short: 'not a shell name', long: 'Not a valid shell variable name. You can still import it.' },
  'cut-at-hash': { short: 'cut at #', long: 'A # starts a comment, so the value ends before it. To keep it, put the value in quotes.' },
  'open-quote': { short: 'quote not closed', long: 'The quote isn’t closed, so it’s part of the value. Close it, or remove it.' },
  'after-quote': {
    short: 'text after the quote',
    long: 'There’s more text after the closing quote, so the quotes are part of the value. Put other quotes around the whole value.',
  },
  backslash: {
    short: 'backslash kept',
    long: 'The backslash is part of the value here, but many readers drop it. If you don’t want it, remove it.',
  },
  'open-key': { short: 'key without quotes', long: 'Only the first line of the key was read. Put the whole key in quotes.' },
}

/** The line, from 1 on, that a sentence about an unreadable text names; null if it names none. */
export const namedLine = (problem: string): number | null => {
  const digits = /\bon line (\d+)/.exec(problem)?.[1]
  return digits === undefined ? null : Number(digits)
}
