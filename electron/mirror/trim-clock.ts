import type { Tx } from './tx.ts'
import { getState, setState } from './workspace-state.ts'

const dayMs = 24 * 60 * 60 * 1000

const lastTrim = (tx: Tx): number | null => {
  // Databases from before there was this clock have only the last sync.
  const kept = getState(tx, 'trim-clock') ?? getState(tx, 'last-synced-at')
  return kept === null ? null : Number(kept)
}

/**
 * Moves the clock of the trims to `now`, by a day at most, and returns the time from which ages are counted. While the computer's clock is
 * wrong, a trim deletes nothing that it would not have deleted a day later.
 */
export function moveTrimClock(tx: Tx, now: number): number {
  const last = lastTrim(tx) ?? now
  const moved = Math.min(Math.max(now, last - dayMs), last + dayMs)
  setState(tx, 'trim-clock', String(moved))
  return Math.min(moved, now)
}

/** Returns the date for a row that is written now. A clock that is far behind the last trim would make the row look old to the next one. */
export const dateOfWrite = (tx: Tx, now: number): number => Math.max(now, (lastTrim(tx) ?? now) - dayMs)
