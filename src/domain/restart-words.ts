import type { RestartNote } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { tally } from './tally.ts'

const of = ({ rows }: RestartNote, change: RestartNote['rows'][number]['change']) => rows.filter((row) => row.change === change).length

/** The effect of restoring the service from a backup: "2 changed, 1 deleted, 1 came back". */
export const restartWords = (note: RestartNote): string =>
  tally([
    [of(note, 'changed'), 'changed'],
    [of(note, 'deleted'), 'deleted'],
    [of(note, 'restored'), 'came back'],
  ])

/** The consequence of a choice, as a sentence; empty when the backup makes nothing Unverified. */
export const earlierWords = ({ unverified }: RestartNote): string =>
  unverified === 0 ? '' : `${counted(unverified, 'earlier value')} ${unverified === 1 ? 'is' : 'are'} Unverified until you choose.`

/** Whether this computer had anything that the service no longer has. */
export const canResend = ({ rows }: RestartNote): boolean => rows.some(({ change }) => change !== 'restored')

/** The effect on one row. */
export const restartedWords = { changed: 'Back to an earlier value', deleted: 'Deleted', restored: 'Came back' } as const
