import type { HistoryRow } from '../../electron/bridge/rows.ts'

/** Why a value is not there any more, and through whom, in a few words. */
export const historyWords = ({ why, whose, by }: Pick<HistoryRow, 'why' | 'whose' | 'by'>): string => {
  const who = whose === 'mine' ? 'you' : (by ?? 'someone else')
  switch (why) {
    case 'changed':
      return `Changed by ${who}`
    case 'deleted':
      return `Deleted by ${who}`
    case 'given-up':
      return by === null ? 'Your unsent value; you took the other one' : `Your unsent value; you took the one from ${by}`
  }
}
