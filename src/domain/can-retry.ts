import type { QueueRow } from '../../electron/bridge/rows.ts'

/** Whether trying a change again now sends it: it is not under way, and waits for nothing but its turn. */
export const canRetry = ({ state, waitsFor }: Pick<QueueRow, 'state' | 'waitsFor'>, isPaused: boolean): boolean =>
  waitsFor === null && (state === 'failed' || (state === 'queued' && !isPaused))
