import type { ImportLine, ImportWarning } from '../../electron/bridge/rows.ts'

/** The effect of a line to import on the environment. */
export const importStatusWords: { readonly [S in ImportLine['status']]: string } = {
  added: 'New',
  changed: 'Changed',
  unchanged: 'Same',
  removed: 'Deleted',
  invalid: 'Invalid',
  overridden: 'Overridden',
}

/** The likely mistakes of a line: in a few words for the line itself, and in a sentence that says what to do. */
export const importWarningWords: { readonly [W in ImportWarning]: { short: string; long: string } } = {
  'cut-at-hash': { short: 'cut at #', long: 'A # starts a comment, so the value ends before it. To keep it, put the value in quotes.' },
  'open-quote': { short: 'quote not closed', long: 'The quote isn’t closed, so it’s part of the value. Close it, or remove it.' },
  'after-quote': {
    short: 'text after the quote',
    long: 'There’s more text after the closing quote, so the quotes are part of the value. Put other quotes around the whole value.',
  },
}
