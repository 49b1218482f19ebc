import { err, ok, type Result } from '../../bridge/result.ts'
import { deleteMember, getMember } from '../../mirror/members-layer.ts'
import { actsOf, dropChange, getQueued } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { isAct, type Act } from '../../queue/entry.ts'
import { dropWithBelow } from '../../sync/effects/apply-theirs.ts'
import { notWaiting } from './not-waiting.ts'
import { restack } from './restack.ts'

/** Takes an unsent change out of the queue, and what was built on it; the row shows again what is left. One that is being sent is refused. */
export function discardChange(tx: Tx, changeId: string): Result<null> {
  const change = getQueued(tx, changeId)
  if (change === null) return notWaiting()
  if (change.state === 'sending') {
    const message = 'This change may already have reached the service. You can undo it once the service has answered.'
    return err({ kind: 'invalid-input', message })
  }
  if (isAct(change)) {
    dropAct(tx, change)
    return ok(null)
  }
  dropWithBelow(tx, change)
  restack(tx, change.rowId, change)
  return ok(null)
}

/** An invitation that is given up takes along what was asked of the member it would have made. */
function dropAct(tx: Tx, act: Act): void {
  const later = act.kind === 'invite' ? actsOf(tx, act.rowId).filter((other) => other.seq > act.seq) : []
  for (const each of [act, ...later]) dropChange(tx, each.id)
  // A member that only an ID was known of was there to be removed.
  if (act.kind === 'remove' && getMember(tx, act.rowId)?.status === '') deleteMember(tx, act.rowId)
}
