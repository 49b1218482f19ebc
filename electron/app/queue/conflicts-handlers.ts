import type { AppError } from '../../bridge/app-error.ts'
import { err, ok } from '../../bridge/result.ts'
import { getDeleted } from '../../mirror/deleted-layer.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import { isOperation, isChange, type Change } from '../../queue/entry.ts'
import type { AppContext } from '../app-context.ts'
import { refusals } from '../capabilities/permissions.ts'
import { restoreKept } from '../deleted/restore-kept.ts'
import { keepsDeleted, restoreOnService } from '../deleted/restore-on-service.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { inUnlocked } from '../workspaces/in-session.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { fingerprintOf, toConflictRow } from './describe-change.ts'
import { resolveConflict } from './resolve-conflict.ts'
import { resolveOperation } from './resolve-operation.ts'

type ConflictsHandlers = Pick<Handlers, 'conflicts.show' | 'conflicts.resolve'>

const notInConflict = (): { ok: false; error: AppError } => err({ kind: 'not-found', message: 'This conflict has already been resolved.' })

const isOutdated = (): { ok: false; error: AppError } =>
  err({
    kind: 'outdated',
    message: 'This conflict changed while it was open, so nothing was decided. Review it again, then choose.',
  })

/** Shows the conflicts of the queue and resolves them as the user chooses. */
export const conflictsHandlers = (context: AppContext): ConflictsHandlers => ({
  'conflicts.show': ({ workspaceId, changeId, reveal }) =>
    inUnlocked(context, workspaceId, (session, cipher) => {
      const row = session.mirror.snapshot((tx) => {
        const change = getEntry(tx, changeId)
        return change && toConflictRow(tx, change, cipher, { reveal, maskAll: context.settings.get().maskAll })
      })
      return row === null ? notInConflict() : ok(row)
    }),
  async 'conflicts.resolve'({ workspaceId, changeId, fingerprint, choice }) {
    const opened = await context.workspaces.session(workspaceId)
    if (!opened.ok) return opened
    const remoteId = choice.take === 'mine' ? restorableBy(opened.value, changeId) : null
    if (remoteId !== null) {
      const restored = await restoreOnService(opened.value, remoteId)
      if (!restored.ok) return restored
      // The restored rows decide about the conflict. Before sync has pulled them, sending the edit would overwrite values that this user
      // has not seen.
      if (restored.value) return ok({ restored: true })
    }
    const decided = await edit(
      context,
      workspaceId,
      ['projects', 'environments', 'variables', 'versions', 'members'],
      (tx, enqueueContext, session) => {
        const cipher = requireCipher(session)
        if (!cipher.ok) return cipher
        const change = getEntry(tx, changeId)
        if (change?.conflict == null) return notInConflict()
        if (fingerprintOf(tx, change) !== fingerprint) return isOutdated()
        if (isOperation(change)) return resolveOperation(tx, enqueueContext, change, choice)
        const wholeAgain = choice.take === 'theirs' || !isDeletedParent(change) ? null : getDeleted(tx, change.rowId)
        const resolved = resolveConflict(tx, enqueueContext, cipher.value, change, choice)
        // Also restore the rows that were deleted with it and not edited here.
        if (resolved.ok && wholeAgain !== null) restoreKept(tx, enqueueContext, wholeAgain, undefined)
        return resolved
      },
    )
    return decided.ok ? ok({ restored: false }) : decided
  },
})

/**
 * Returns the remote id of a project or environment that others deleted, if the service can restore it. Null: it is created again; so it is
 * for a user who may create it but not restore it.
 */
function restorableBy(session: WorkspaceSession, changeId: string): string | null {
  if (!keepsDeleted(session)) return null
  return session.mirror.snapshot((tx) => {
    const entry = getEntry(tx, changeId)
    if (entry === null || !isChange(entry) || !isDeletedParent(entry)) return null
    const known = refusals(tx)
    const [restore, create] =
      entry.rowKind === 'project'
        ? (['projects.delete', 'projects.create'] as const)
        : (['environments.delete', 'environments.create'] as const)
    const mayOnlyCreate = known[restore] !== undefined && known[create] === undefined
    return mayOnlyCreate ? null : (entry.conflict?.remoteId ?? null)
  })
}

/** Whether a change would create a project or environment again that others deleted. */
const isDeletedParent = ({ rowKind, kind, conflict }: Change): boolean =>
  rowKind !== 'variable' && kind === 'create' && conflict?.kind === 'deleted-remotely'
