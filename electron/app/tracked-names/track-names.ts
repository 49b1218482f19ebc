import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { countUnsentAt } from '../../mirror/queue-layer.ts'
import { findTracked, noParent, putTracked, dropTracked, getTracked } from '../../mirror/tracked-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { carryOut } from '../../mirror/write-steps.ts'
import type { RowKind } from '../../queue/entry.ts'
import { removeRow } from '../../sync/plan/plan-record.ts'
import { readProfile } from '../capabilities/keep-profile.ts'

export interface Named {
  /** Slug. */
  project: string
  /** Slug; null: the project alone. */
  environment: string | null
  /** Of variables in the environment. */
  names: readonly string[]
}

/**
 * Tracks the names and their parents. Returns how many of the names are new; without names, whether the environment or project is (1 or 0).
 */
export function trackNames(tx: Tx, newId: () => string, { project, environment, names }: Named): number {
  const inProject = take(tx, newId, noParent, 'project', project)
  if (environment === null) return inProject.added
  const inEnvironment = take(tx, newId, inProject.id, 'environment', environment)
  if (names.length === 0) return inEnvironment.added
  return names.reduce((added, name) => added + take(tx, newId, inEnvironment.id, 'variable', name).added, 0)
}

function take(tx: Tx, newId: () => string, parentId: string, kind: RowKind, key: string): { id: string; added: number } {
  const known = findTracked(tx, parentId, kind, key)
  if (known !== null) return { id: known.id, added: 0 }
  const id = newId()
  putTracked(tx, { id, kind, parent_id: parentId, key, row_id: null, state: 'waiting' })
  return { id, added: 1 }
}

/**
 * Stops tracking names and removes their rows here. Nothing is deleted on the service. Refused while these rows have unsent edits. On a
 * full service the rows stay, because its feed would not send them again.
 */
export function untrackNames(tx: Tx, context: EnqueueContext, ids: readonly string[]): Result<null> {
  const keepsRows = readProfile(tx)?.kind === 'full'
  for (const id of ids) {
    const entry = getTracked(tx, id)
    if (entry === null) continue
    if (keepsRows) {
      dropTracked(tx, id)
      continue
    }
    const count = entry.row_id === null ? 0 : countUnsentAt(tx, entry.row_id)
    if (count > 0) {
      const edits = count === 1 ? 'an unsent change' : `${count.toLocaleString('en-US')} unsent changes`
      const message = `${entry.key} has ${edits}. Send or discard ${count === 1 ? 'it' : 'them'}, then stop tracking it.`
      return err({ kind: 'unsent-edits', message })
    }
    const row = entry.row_id === null ? null : getBase(tx, entry.row_id)
    if (row !== null) carryOut(tx, context, (facts) => removeRow(row, null, facts))
    dropTracked(tx, id)
  }
  return ok(null)
}
