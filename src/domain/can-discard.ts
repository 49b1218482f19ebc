import type { QueueRow } from '../../electron/bridge/rows.ts'

/** Whether a change may be discarded: not while a request of it may be under way. */
export const canDiscard = ({ state, isToBeChecked }: Pick<QueueRow, 'state' | 'isToBeChecked'>): boolean =>
  state !== 'sending' || isToBeChecked
