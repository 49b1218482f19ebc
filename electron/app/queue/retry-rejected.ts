import { setImmediate as nextTurn } from 'node:timers/promises'
import { ok, type Result } from '../../bridge/result.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { listQueue } from './describe-change.ts'
import { retryChange } from './retry-change.ts'

/** How many are retried in one transaction. */
const mostAtOnce = 200

/** Makes all rejected changes due now, in parts. A damaged value stays rejected: it is never sent. Errors: those of `retryChange`. */
export async function retryRejected(context: AppContext, workspaceId: string): Promise<Result<null>> {
  const session = await context.workspaces.session(workspaceId)
  if (!session.ok) return session
  const rejected = (await listQueue(session.value.mirror)).filter(({ state }) => state === 'failed').map(({ changeId }) => changeId)
  for (let from = 0; from < rejected.length; from += mostAtOnce) {
    const part = rejected.slice(from, from + mostAtOnce)
    const done = await edit(context, workspaceId, ['versions', 'members'], (tx, { newId }, opened) => {
      for (const changeId of part) {
        // Sync or the user may have moved it on since.
        if (getEntry(tx, changeId)?.state !== 'failed') continue
        const retried = retryChange(tx, changeId, newId, requireCipher(opened))
        if (!retried.ok && retried.error.kind !== 'value-unreadable') return retried
      }
      return ok(null)
    })
    if (!done.ok) return done
    await nextTurn()
  }
  return ok(null)
}
