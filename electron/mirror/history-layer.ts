import type { BaseRow } from '../sync/change.ts'
import { build, type Tx } from './tx.ts'

/** How long an overwritten value can be restored, in milliseconds. */
export const historyKeptMs = 30 * 24 * 60 * 60 * 1000

/** Keeps the value of a row that is about to be overwritten by `whose` write. */
export function keepHistory(tx: Tx, row: BaseRow, whose: 'mine' | 'theirs', now: number): void {
  const { value, name } = row.fields
  if (value === undefined) return
  const kept = { row_id: row.id, name: name ?? '', whose, sealed: value.sealed, tag: value.tag, key_id: value.keyId, at: now }
  tx.run(build.insertInto('history').values(kept))
}

/** Forgets what has been kept long enough. */
export function trimHistory(tx: Tx, now: number): void {
  tx.run(build.deleteFrom('history').where('at', '<', now - historyKeptMs))
}
