import type { AppError } from '../../bridge/app-error.ts'
import { err, ok } from '../../bridge/result.ts'
import { getDeleted } from '../../mirror/deleted-layer.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import { isOperation } from '../../queue/entry.ts'
import type { AppContext } from '../app-context.ts'
import { restoreKept } from '../deleted/restore-kept.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { fingerprintOf, toConflictRow } from './describe-change.ts'
import { resolveConflict } from './resolve-conflict.ts'
import { resolveOperation } from './resolve-operation.ts'
import { isDeletedParent, restorableBy, restoreParent } from './restore-parent.ts'

type ConflictsHandlers = Pick<Handlers, 'conflicts.show' | 'conflicts.resolve'>

const notInConflict = (): { ok: false; error: AppError } => err({ kind: 'not-found', message: 'This conflict has already been resolved.' })

const isOutdated = (): { ok: false; error: AppError } =>
  err({
    kind: 'outdated',
    message: 'This conflict changed while it was open, so nothing was decided. Review it again, then choose.',
  })

/** The conflicts of the queue: shown, and resolved as their user chose. */
export const conflictsHandlers = (context: AppContext): ConflictsHandlers => ({
  async 'conflicts.show'({ workspaceId, changeId, reveal }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const cipher = requireCipher(session.value)
    if (!cipher.ok) return cipher
    const row = session.value.mirror.snapshot((tx) => {
      const change = getEntry(tx, changeId)
      return change && toConflictRow(tx, change, cipher.value, { reveal, maskAll: context.settings.get().maskAll })
    })
    return row === null ? notInConflict() : ok(row)
  },
  async 'conflicts.resolve'({ workspaceId, changeId, fingerprint, choice }) {
    const opened = await context.workspaces.session(workspaceId)
    if (!opened.ok) return opened
    const remoteId = choice.take === 'mine' ? restorableBy(opened.value, changeId) : null
    if (remoteId !== null) {
      const restored = await restoreParent(opened.value, remoteId)
      if (!restored.ok) return restored
      // What comes back decides: where sync has not brought it yet, an edit sent now would go over values that nobody here has seen.
      if (restored.value) return ok(null)
    }
    return edit(context, workspaceId, ['projects', 'environments', 'variables', 'versions', 'members'], (tx, enqueueContext, session) => {
      const cipher = requireCipher(session)
      if (!cipher.ok) return cipher
      const change = getEntry(tx, changeId)
      if (change?.conflict == null) return notInConflict()
      if (fingerprintOf(tx, change) !== fingerprint) return isOutdated()
      if (isOperation(change)) return resolveOperation(tx, enqueueContext, change, choice)
      const wholeAgain = choice.take === 'theirs' || !isDeletedParent(change) ? null : getDeleted(tx, change.rowId)
      const resolved = resolveConflict(tx, enqueueContext, cipher.value, change, choice)
      // What others deleted with it comes back too, not only what was edited in it.
      if (resolved.ok && wholeAgain !== null) restoreKept(tx, enqueueContext, wholeAgain, undefined)
      return resolved
    })
  },
})
