import type { Commands } from '../../electron/bridge/contract.ts'
import type { RestartNote } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { tally } from './tally.ts'

const of = ({ rows }: RestartNote, change: RestartNote['rows'][number]['change']) => rows.filter((row) => row.change === change).length

/** The effect of restoring the service from a backup: "2 changed, 1 deleted, 1 added". */
export const restartWords = (note: RestartNote): string => {
  const words = tally([
    [of(note, 'changed'), 'changed'],
    [of(note, 'deleted'), 'deleted'],
    [of(note, 'added'), 'added'],
  ])
  return note.isCut ? `${words}, and more` : words
}

/** The consequence of a choice, as a sentence; empty when the backup makes nothing Unverified. */
export const earlierWords = ({ unverified }: RestartNote): string =>
  unverified === 0 ? '' : `${counted(unverified, 'earlier value')} ${unverified === 1 ? 'is' : 'are'} Unverified until you choose.`

/** Whether this computer had anything that the service no longer has. */
export const canResend = ({ rows }: RestartNote): boolean => rows.some(({ change }) => change !== 'added')

/** The effect on one row. */
export const restartedWords = { changed: 'Back to an earlier value', deleted: 'Deleted', added: 'Added' } as const

/** Explains the list of rows. Where all of them are new here, there is nothing to send again. */
export const listedWords = (note: RestartNote): string =>
  canResend(note)
    ? 'The service was restored from a backup, which changed these rows. Send your values again, or keep the service’s data.'
    : 'The service was restored from a backup. These rows are new on this computer since then.'

/** What sending again does. A row is skipped because of what its user or others made of it since. */
export const resentWords = ({ sent, inPart, skipped }: Commands['restart.resend']['value']): string => {
  const sentences = [`Sending ${counted(sent + inPart, 'change')} again`]
  if (inPart > 0)
    sentences.push(
      counted(
        inPart,
        'row keeps its current name because its former name is taken',
        'rows keep their current names because their former names are taken',
      ),
    )
  if (skipped > 0)
    sentences.push(
      `Skipped ${counted(skipped, 'row')} that changed since, ${skipped === 1 ? 'is' : 'are'} in conflict, or whose name is taken`,
    )
  return sentences.join('. ')
}

/** The label of the button that keeps the service's data; it decides nothing if there is nothing to send again or to accept. */
export const keepWords = (note: RestartNote): string => (canResend(note) || note.unverified > 0 ? 'Keep the service’s data' : 'Dismiss')
