import { onceSecret, type HistoryEntry } from '../../mirror/history-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking } from '../../mirror/working-layer.ts'

/** The variable that a value belonged to, its name and environment then, and whether it was a secret then (null: unknown). */
export type Kept = Pick<HistoryEntry, 'row_id' | 'parent_id' | 'name' | 'is_secret'>

/**
 * Returns a function that tells for each of these values whether it is secret. It is if its variable is or ever was known to be a secret,
 * under any name and in any environment, or if the variable that has its name now is one. If its secrecy was unknown then, that of its
 * variable decides. Null: unknown.
 */
export function secrecyOfKept(tx: Tx, kept: readonly Kept[]): (value: Kept) => boolean | null {
  const secrets = onceSecret(tx, new Set(kept.map((value) => value.row_id)))
  return ({ row_id: id, parent_id: environmentId, name, is_secret: then }) => {
    const now = getWorking(tx, id)?.fields.isSecret ?? null
    const named = environmentId === null ? null : findWorking(tx, 'variable', environmentId, name)
    if (secrets.has(id) || now === true || named?.fields.isSecret === true) return true
    return then === null ? now : then === 1
  }
}
