import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { changesOfRow } from '../../mirror/queue-layer.ts'
import { rebaseRow, uncover } from '../../mirror/rebase-row.ts'
import { resealBroughtBack } from '../../mirror/reseal.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, refreshRow } from '../../mirror/working-layer.ts'
import { mayBeUnderWay } from '../../queue/coalesce.ts'
import { isMove, type Change, type Row } from '../../queue/entry.ts'
import { fieldNames } from '../../queue/fields.ts'

/**
 * Rebases the later changes of a row after the user dropped one: onto the base of the dropped change, and onto the present row. A change
 * that waited behind the conflict of `dropped` may come into conflict itself. If the service may have done `dropped`, later changes of its
 * fields stay as they are. Error: `invalid-input` if a variable would go back to an environment that the user has deleted since; the
 * transaction must then roll back. `shown`: the row before; null: no screen showed it, so it may go back to a deleted environment.
 */
export function restack(tx: Tx, context: EnqueueContext, dropped: Change, shown: Row | null): Result<null> {
  const { newId } = context
  const { rowId } = dropped
  const mayBeDone = mayBeUnderWay(dropped)
  if (!mayBeDone) uncover(tx, newId, rowId, dropped)
  const isOther = dropped.conflict?.remote == null
  const waits = (change: Change) =>
    // Its answer rebases the changes behind a request under way, or behind another conflict.
    change.state === 'sending' ||
    (change.state === 'conflict' && isOther) ||
    // It takes back what the dropped change may have done on the service.
    (mayBeDone && change.seq > dropped.seq && fieldNames.some((name) => name in dropped.patch && name in change.patch))
  rebaseRow(tx, newId, rowId, waits, dropped.conflict?.by)
  resealBroughtBack(tx, rowId, context)
  refreshRow(tx, rowId)
  const home = shown !== null && isMove(dropped) ? deletedHome(tx, rowId) : null
  if (home === null) return ok(null)
  const message = `The variable would go back to “${home}”, which you’ve deleted, and be deleted with it. Discard that deletion first.`
  return err({ kind: 'invalid-input', message })
}

/** Returns the name of the deleted environment that a row is in; null: the row is shown, or deleted itself. */
function deletedHome(tx: Tx, rowId: string): string | null {
  if (getWorking(tx, rowId) !== null) return null
  const changes = changesOfRow(tx, rowId)
  const home = getBase(tx, rowId)?.parentId ?? changes[0]?.ancestors[0]
  if (home === undefined || getWorking(tx, home) !== null || changes.some(({ kind }) => kind === 'delete')) return null
  return getBase(tx, home)?.fields.name ?? 'its environment'
}
