import type { UnverifiedRow, ValueDoubt } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

/** Why a value is Unverified. */
const doubtWords: { readonly [D in ValueDoubt]: string } = {
  plain: 'It arrived unencrypted.',
  unbound: 'It isn’t sealed to this variable. An older app or another client may have written it.',
  kind: 'It was sealed with a different type or secret setting.',
  superseded: 'An earlier value came back, and no one rolled back on this computer.',
  elsewhere: 'It belongs to another variable or key, or is damaged. It can’t be read.',
}

/** Why a value is Unverified, and the name that restoring it gives back. */
export const doubtSentence = ({ doubt, lastName }: Pick<UnverifiedRow, 'doubt' | 'lastName'>): string =>
  lastName === null ? doubtWords[doubt] : `${doubtWords[doubt]} It was last verified as ${lastName}.`

/** The toast after several were accepted or restored at once. */
export const decidedWords = (verb: 'Accepted' | 'Restored', decided: number, skipped: number): string =>
  `${verb} ${counted(decided, 'value')}${skipped === 0 ? '' : `. Skipped ${counted(skipped, 'value')} that changed since`}`

/** How many values the buttons for all of them decide on. */
export const decidable = (rows: readonly UnverifiedRow[]): { accept: UnverifiedRow[]; restore: UnverifiedRow[] } => ({
  accept: rows.filter(({ canAccept }) => canAccept),
  restore: rows.filter(({ canRestore }) => canRestore),
})
