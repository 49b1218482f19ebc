import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { advance, changesOfRow } from '../../mirror/queue-layer.ts'
import { resealBroughtBack } from '../../mirror/reseal.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, refreshRow } from '../../mirror/working-layer.ts'
import { isMove, type Change, type Row } from '../../queue/entry.ts'
import { fieldNames, pickFields, sameField } from '../../queue/fields.ts'
import { rebaseRow } from './rebase-row.ts'

/**
 * After the user dropped a change of a row: rebases the later ones onto the base of the dropped one, and onto the present row. A change
 * that was made without knowing the remote edits, and was not in conflict only because `dropped` was, comes into conflict now. Error:
 * `invalid-input` when a variable would go back to an environment that the user has deleted since; the transaction has to roll back then.
 * `shown`: the row before; null: no screen showed it, and it may go back to where none does.
 */
export function restack(tx: Tx, context: EnqueueContext, dropped: Change, shown: Row | null): Result<null> {
  const { newId } = context
  const { rowId } = dropped
  uncover(tx, newId, rowId, dropped)
  const isOther = dropped.conflict?.remote == null
  // The answer to a request under way rebases the later ones, and so does the answer to another conflict.
  const waits = ({ state }: Change) => state === 'sending' || (state === 'conflict' && isOther)
  rebaseRow(tx, newId, rowId, waits, dropped.conflict?.by)
  resealBroughtBack(tx, rowId, context)
  refreshRow(tx, rowId)
  const home = shown !== null && isMove(dropped) ? deletedHome(tx, rowId) : null
  if (home === null) return ok(null)
  const message = `The variable would go back to “${home}”, which you’ve deleted, and be deleted with it. Discard that deletion first.`
  return err({ kind: 'invalid-input', message })
}

/** The name of the deleted environment that a row is in, if the row itself is not deleted; null: there is none. */
function deletedHome(tx: Tx, rowId: string): string | null {
  const changes = changesOfRow(tx, rowId)
  const home = getBase(tx, rowId)?.parentId ?? changes[0]?.ancestors[0]
  if (home === undefined || getWorking(tx, home) !== null || changes.some(({ kind }) => kind === 'delete')) return null
  return getBase(tx, home)?.fields.name ?? 'its environment'
}

/** Where the base of a later change holds what the dropped one set, replaces it with what the dropped one was based on. */
function uncover(tx: Tx, newId: () => string, rowId: string, { seq, patch, base: under }: Change): void {
  if (under === null) return
  let names = fieldNames.filter((name) => patch[name] !== undefined)
  for (const change of changesOfRow(tx, rowId)) {
    if (change.seq < seq) continue
    const { base, state } = change
    const stale = names.filter((name) => base !== null && sameField(base[name], patch[name]))
    if (stale.length > 0 && state !== 'sending')
      advance(tx, change, { is: 'revise', id: newId(), base: { ...base, ...pickFields(under, stale) } })
    names = names.filter((name) => change.patch[name] === undefined)
  }
}
