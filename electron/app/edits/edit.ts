import { v7 as uuid } from 'uuid'
import type { AppError } from '../../bridge/app-error.ts'
import type { Table } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { AppContext } from '../app-context.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

/** A refusal on its way out of a transaction, which must roll back what came before it. */
class Refused extends Error {
  readonly refusal: AppError
  constructor(refusal: AppError) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

/**
 * Runs one edit of the user: one transaction, on disk when this resolves; then tells the page and
 * wakes the engine. An error from `work` rolls everything back.
 */
export async function edit<T>(
  context: AppContext,
  workspaceId: string,
  tables: Table[],
  work: (tx: Tx, enqueueContext: EnqueueContext, session: WorkspaceSession) => Result<T>,
): Promise<Result<T>> {
  const opened = await context.workspaces.session(workspaceId)
  if (!opened.ok) return opened
  const session = opened.value
  try {
    const value = session.mirror.write((tx) => {
      const outcome = work(tx, { now: context.deps.now(), newId: () => uuid() }, session)
      if (!outcome.ok) throw new Refused(outcome.error)
      return outcome.value
    })
    context.emit({ push: 'changed', workspaceId, tables: [...tables, 'queue', 'sync'] })
    session.engine?.wake()
    return ok(value)
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.refusal }
    throw error
  }
}
