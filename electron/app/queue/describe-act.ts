import type { ConflictRow, ConflictSide, QueueRow } from '../../bridge/rows.ts'
import { allChanges } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { isParked, type Act } from '../../queue/entry.ts'
import { foreseeFromWorking } from '../../sync/effects/foresee-rollback.ts'
import { previewOf } from '../versions/show-version.ts'

/** The label of the version, or the e-mail of the member, that an act is about. */
export function nameOfAct(act: Act): string {
  if (act.rowKind === 'member') return act.detail.email
  return act.detail.label ?? ''
}

/** What the queue list says of an act beyond what it says of every change. */
export const partsOfAct = (tx: Tx, act: Act): Pick<QueueRow, 'name' | 'fields' | 'counts' | 'reason'> => ({
  name: nameOfAct(act),
  fields: act.kind === 'set-role' ? ['roleId'] : [],
  counts: act.kind === 'rollback' ? act.detail.agreed.counts : null,
  reason: act.reason ?? waitsFor(tx, act),
})

/** A snapshot or rollback waits for everything before it in its environment: also for what may wait for the user for ever. */
function waitsFor(tx: Tx, act: Act): string | null {
  if (act.rowKind !== 'version' || act.state !== 'queued') return null
  const [environmentId = ''] = act.ancestors
  const held = allChanges(tx).filter((other) => other.seq < act.seq && isParked(other) && other.ancestors.includes(environmentId)).length
  if (held === 0) return null
  const what = held === 1 ? "a change that can't be sent yet" : `${held} changes that can't be sent yet`
  return `Waiting for ${what}. Resolve or discard those first.`
}

/** A conflict of an act, for the user to decide. */
export function conflictOfAct(tx: Tx, act: Act): Pick<ConflictRow, 'fields' | 'rollback'> {
  if (act.kind === 'rollback') {
    const [environmentId = ''] = act.ancestors
    const now = previewOf(tx, environmentId, foreseeFromWorking(tx, environmentId, act.rowId))
    return { fields: [], rollback: { agreed: act.detail.agreed.counts, now } }
  }
  if (act.kind !== 'invite' && act.kind !== 'set-role') return { fields: [], rollback: null }
  const was = act.kind === 'set-role' ? act.detail.was : undefined
  return {
    fields: [{ field: 'roleId', was: side(was), mine: side(act.detail.roleId), theirs: side(act.detail.theirs) }],
    rollback: null,
  }
}

const side = (text: string | undefined): ConflictSide => (text === undefined ? { state: 'absent', text: null } : { state: 'shown', text })
