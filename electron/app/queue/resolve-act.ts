import { ok, type Result } from '../../bridge/result.ts'
import { enqueueAct } from '../../mirror/enqueue-act.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { dropChange } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Act, RollbackAct } from '../../queue/entry.ts'
import { foreseenOf, foreseeFromWorking } from '../../sync/effects/foresee-rollback.ts'
import { invalid } from '../edits/refusals.ts'
import type { Choice } from './resolve-conflict.ts'

/** Carries out what the user chose for an act in conflict. What is kept goes to the end of the queue: it was decided now. */
export function resolveAct(tx: Tx, context: EnqueueContext, act: Act, choice: Choice): Result<null> {
  if (choice.take === 'edit') return invalid('choice', "There's nothing to edit here: keep yours or theirs.")
  if (choice.take === 'theirs') {
    dropChange(tx, act.id)
    return ok(null)
  }
  if (act.kind === 'rollback') return rollBackAnyway(tx, context, act)
  dropChange(tx, act.id)
  if (act.kind !== 'invite' && act.kind !== 'set-role') return ok(null)
  const { rowId, ancestors } = act
  const { email, roleId, theirs } = act.detail
  const core = { rowKind: 'member' as const, rowId, ancestors }
  if (theirs === undefined) enqueueAct(tx, { ...core, kind: 'invite', detail: { email, roleId } }, context)
  else enqueueAct(tx, { ...core, kind: 'set-role', detail: { email, roleId, was: theirs } }, context)
  return ok(null)
}

/** Agrees to what the rollback would do now. */
function rollBackAnyway(tx: Tx, context: EnqueueContext, act: RollbackAct): Result<null> {
  const { rowId, ancestors } = act
  const agreed = foreseenOf(foreseeFromWorking(tx, ancestors[0] ?? '', rowId))
  dropChange(tx, act.id)
  const detail = { label: act.detail.label, agreed }
  enqueueAct(tx, { kind: 'rollback', rowKind: 'version', rowId, ancestors, detail }, context)
  return ok(null)
}
