import { enqueueAct } from '../../mirror/enqueue-act.ts'
import { getQueued } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { NewAct } from '../../queue/coalesce-operation.ts'
import type { EditContext } from './edit-context.ts'

/**
 * Queues an act of the user; gives the id it stands under, or null when nothing is left to do. One that became part of an earlier act,
 * or took it back, is no step of undo: that step is the earlier one.
 */
export function queueAct(tx: Tx, context: EditContext, act: NewAct): string | null {
  const changeId = enqueueAct(tx, act, context)
  const queued = changeId === null ? null : getQueued(tx, changeId)
  if (changeId !== null && queued?.kind === act.kind) context.rememberAct?.(act, changeId)
  return changeId
}
