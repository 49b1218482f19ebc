import { ok, type Result } from '../../bridge/result.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { applyStep, type StepRefusal } from './apply-step.ts'
import { recordRows } from './record-rows.ts'
import { withEntriesOf, type AppliedStep, type Step } from './step.ts'

/**
 * Redoes a step. Returns it with the unsent entries that its rows had before this redo: the user may have retried, discarded or resolved
 * those that it had at first, and the next undo would bring them back.
 */
export function redoStep(tx: Tx, context: EditContext, step: Step): Result<AppliedStep, StepRefusal> {
  const { remember, rememberDropped, finish } = recordRows()
  for (const { id, before, after } of step.images) if (before !== null && after !== null) remember(tx, id)
  const done = applyStep(tx, { ...context, remember, rememberDropped }, step, 'redo')
  if (!done.ok) return done
  const recorded = new Map(finish(tx).map((image) => [image.id, image]))
  return ok({ step: { ...step, images: step.images.map((image) => withEntriesOf(image, recorded.get(image.id))) }, moved: done.value })
}
