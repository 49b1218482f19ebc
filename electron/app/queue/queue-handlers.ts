import type { AppError } from '../../bridge/app-error.ts'
import { err, ok } from '../../bridge/result.ts'
import type { SyncStatus } from '../../bridge/rows.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import { getDeleted } from '../../mirror/deleted-layer.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import { unverifiedCount } from '../../mirror/reads/unverified.ts'
import { queueCounts, type QueueCounts } from '../../mirror/reads/queue-counts.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { restoreKept } from '../deleted/restore-kept.ts'
import type { Handlers } from '../handlers.ts'
import { isOperation } from '../../queue/entry.ts'
import { policyOf } from '../workspaces/value-rules.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { fingerprintOf, toConflictRow, toQueueRows } from './describe-change.ts'
import { applyUnsent } from './apply-unsent.ts'
import { discardChange } from './discard-change.ts'
import { exportUnsent } from './export-unsent.ts'
import { resolveOperation } from './resolve-operation.ts'
import { isDeletedParent, restorableBy, restoreParent } from './restore-parent.ts'
import { resolveConflict } from './resolve-conflict.ts'
import { retryChange } from './retry-change.ts'

type QueueHandlers = Pick<
  Handlers,
  | 'sync.status'
  | 'sync.now'
  | 'sync.pause'
  | 'queue.export'
  | 'queue.apply'
  | 'queue.list'
  | 'queue.retry'
  | 'queue.discard'
  | 'conflicts.show'
  | 'conflicts.resolve'
>

const notInConflict = (): { ok: false; error: AppError } => err({ kind: 'not-found', message: 'This conflict has already been resolved.' })

const isOutdated = (): { ok: false; error: AppError } =>
  err({
    kind: 'outdated',
    message: 'This conflict changed while it was open, so nothing was decided. Review it again, then choose.',
  })

/** The queue of unsent changes, the conflicts in it, and how sync stands. */
export const queueHandlers = (context: AppContext): QueueHandlers => ({
  async 'sync.status'({ workspaceId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const { mirror } = session.value
    return ok(statusOf(session.value, await queueCounts(mirror), await unverifiedCount(mirror)))
  },
  async 'sync.now'({ workspaceId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    if (session.value.engine === null && session.value.engineProblem !== null) return err(session.value.engineProblem)
    await session.value.engine?.syncNow()
    return ok(null)
  },
  async 'sync.pause'({ workspaceId, paused }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const { engine, mirror } = session.value
    if (engine === null) mirror.write((tx) => setState(tx, 'paused', paused ? 'yes' : null))
    else engine.hold(paused)
    context.emit({ push: 'changed', workspaceId, tables: ['sync'] })
    return ok(null)
  },
  'queue.export': (args) => exportUnsent(context, args),
  'queue.apply': (args) => applyUnsent(context, args),
  async 'queue.list'({ workspaceId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    return ok(session.value.mirror.snapshot(toQueueRows))
  },
  'queue.retry': ({ workspaceId, changeId }) =>
    edit(context, workspaceId, ['versions', 'members'], (tx, { newId }, session) =>
      retryChange(tx, changeId, newId, requireCipher(session)),
    ),
  'queue.discard': ({ workspaceId, changeId }) =>
    edit(context, workspaceId, ['projects', 'environments', 'variables', 'versions', 'members'], (tx, editContext) =>
      discardChange(tx, editContext, changeId),
    ),
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

/** How sync stands, in one word and at most one sentence. */
function statusOf(session: WorkspaceSession, { queued, attention }: QueueCounts, unverified: number): SyncStatus {
  const engine = session.engine?.status() ?? null
  const problem = engine?.problem ?? session.engineProblem
  const needsUser = attention + unverified > 0 || session.needs().length > 0 || (engine?.phase === 'paused' && problem !== null)
  const rest = queued > 0 ? 'queued' : 'synced'
  const isPaused = session.mirror.snapshot((tx) => getState(tx, 'paused') !== null)
  const state =
    isPaused && engine?.phase !== 'syncing'
      ? 'paused'
      : needsUser
        ? 'attention'
        : stateOf(engine?.phase ?? (problem === null ? 'paused' : 'offline'), rest)
  const message = problem?.message ?? null
  return {
    state,
    queued,
    attention,
    unverified,
    values: policyOf(session.info, session.mirror),
    lastSyncedAt: engine?.lastSyncedAt == null ? null : new Date(engine.lastSyncedAt).toISOString(),
    message,
    nextAttemptAt: engine?.nextAttemptAt == null ? null : new Date(engine.nextAttemptAt).toISOString(),
    isPaused,
    limits: session.limits(),
  }
}

const stateOf = (phase: 'idle' | 'syncing' | 'offline' | 'paused', rest: 'queued' | 'synced'): SyncStatus['state'] =>
  phase === 'idle' ? rest : phase
