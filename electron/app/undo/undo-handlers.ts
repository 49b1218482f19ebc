import { err, ok, type Result } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import { commit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { applyOperation } from './apply-operation.ts'
import { applyStep } from './apply-step.ts'
import type { OperationStep, Direction } from './step.ts'

type UndoHandlers = Pick<Handlers, 'undo.status' | 'undo.undo' | 'undo.redo'>

/** Undo and redo of the user's own edits, workspace by workspace. */
export const undoHandlers = (context: AppContext): UndoHandlers => ({
  async 'undo.status'({ workspaceId }) {
    const labelOf = (direction: Direction) => context.undo.next(workspaceId, direction)?.label ?? null
    return ok({ undo: labelOf('undo'), redo: labelOf('redo') })
  },
  'undo.undo': ({ workspaceId }) => go(context, workspaceId, 'undo'),
  'undo.redo': ({ workspaceId }) => go(context, workspaceId, 'redo'),
})

async function go({ undo, ...context }: AppContext, workspaceId: string, direction: Direction): Promise<Result<{ label: string }>> {
  const session = await context.workspaces.session(workspaceId)
  if (!session.ok) return session
  const step = undo.next(workspaceId, direction)
  if (step === null) return err({ kind: 'not-found', message: `Nothing to ${direction}.` })
  const { asked } = step
  if (asked !== undefined) return goOperation({ undo, ...context }, session.value, asked, step.label, direction)
  let overtaken = false
  const done = commit({ undo, ...context }, session.value, ['projects', 'environments', 'variables'], (tx, editContext) => {
    const applied = applyStep(tx, editContext, step, direction)
    if (applied.ok) return applied
    overtaken = applied.error.overtaken
    return err(applied.error.refusal)
  })
  if (done.ok) {
    undo.turn(workspaceId, direction, done.value)
    return ok({ label: step.label })
  }
  if (overtaken) {
    undo.drop(workspaceId, direction)
    context.emit({ push: 'changed', workspaceId, tables: ['queue'] })
  }
  return done
}

/** The same for a snapshot, a rollback or a change of members: removed from the queue, or queued again. */
function goOperation(
  context: AppContext,
  session: WorkspaceSession,
  asked: OperationStep,
  label: string,
  direction: Direction,
): Result<{ label: string }> {
  let overtaken = false
  const done = commit(context, session, ['versions', 'members'], (tx, editContext) => {
    const applied = applyOperation(tx, editContext, asked, direction)
    if (applied.ok) return applied
    overtaken = applied.error.overtaken
    return err(applied.error.refusal)
  })
  if (done.ok) {
    context.undo.turnOperation(session.id, direction, done.value)
    return ok({ label })
  }
  if (overtaken) {
    context.undo.drop(session.id, direction)
    context.emit({ push: 'changed', workspaceId: session.id, tables: ['queue'] })
  }
  return done
}
