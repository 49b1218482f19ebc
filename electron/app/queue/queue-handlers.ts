import { err, ok } from '../../bridge/result.ts'
import type { QueueRow, SyncStatus } from '../../bridge/rows.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import { getEntry } from '../../mirror/queue-layer.ts'
import { unverifiedCount } from '../../mirror/reads/unverified.ts'
import { queueCounts, type QueueCounts } from '../../mirror/reads/queue-counts.ts'
import type { AppContext } from '../app-context.ts'
import { isViewOnly, refusals } from '../capabilities/permissions.ts'
import { createAuthors } from '../deleted/deleted-on-service.ts'
import { keepsDeleted } from '../deleted/restore-on-service.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { policyOf } from '../workspaces/value-rules.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { listQueue, toQueuedFields } from './describe-change.ts'
import { applyUnsent } from './apply-unsent.ts'
import { discardChange } from './discard-change.ts'
import { exportUnsent } from './export-unsent.ts'
import { retryChange } from './retry-change.ts'
import { retryRejected } from './retry-rejected.ts'

type QueueHandlers = Pick<
  Handlers,
  'sync.status' | 'sync.now' | 'sync.pause' | 'queue.export' | 'queue.apply' | 'queue.list' | 'queue.show' | 'queue.retry' | 'queue.discard'
>

/** Whether others have deleted the project or environment that a change is about, and it isn't known who. */
const isDeletedParent = ({ conflict, subject, remoteBy }: QueueRow): boolean =>
  conflict === 'deleted-remotely' && subject !== 'variable' && remoteBy === null

/** Shows, exports, retries and discards unsent changes, and controls sync. */
export const queueHandlers = (context: AppContext): QueueHandlers => {
  const learnAuthors = createAuthors(context, 'queue')
  return {
    'sync.status': ({ workspaceId }) =>
      inSession(context, workspaceId, async (session) => {
        const { mirror } = session
        return ok(statusOf(session, await queueCounts(mirror), await unverifiedCount(mirror)))
      }),
    'sync.now': ({ workspaceId, isAsked = true }) =>
      inSession(context, workspaceId, async ({ engine, engineProblem }) => {
        if (engine === null && engineProblem !== null) return err(engineProblem)
        if (isAsked) await engine?.syncNow()
        else engine?.wake()
        return ok(null)
      }),
    'sync.pause': ({ workspaceId, paused }) =>
      inSession(context, workspaceId, ({ engine, mirror }) => {
        if (engine === null) mirror.write((tx) => setState(tx, 'paused', paused ? 'yes' : null))
        else engine.hold(paused)
        context.emit({ push: 'changed', workspaceId, tables: ['sync'] })
        return ok(null)
      }),
    'queue.export': (args) => context.jobs.run(undefined, ({ signal }) => exportUnsent(context, args, signal)),
    'queue.apply': (args) => applyUnsent(context, args),
    'queue.list': ({ workspaceId }) =>
      inSession(context, workspaceId, async (session) => {
        const rows = await listQueue(session.mirror)
        learnAuthors(
          session,
          rows.filter(isDeletedParent).map(({ seq }) => seq),
        )
        return ok(rows)
      }),
    'queue.show': ({ workspaceId, changeId, reveal }) =>
      inUnlocked(context, workspaceId, ({ mirror }, cipher) =>
        ok(
          mirror.snapshot((tx) => {
            const entry = getEntry(tx, changeId)
            return entry === null ? [] : toQueuedFields(tx, entry, cipher, { reveal, maskAll: context.settings.get().maskAll })
          }),
        ),
      ),
    'queue.retry': ({ workspaceId, changeId }) =>
      changeId === undefined
        ? retryRejected(context, workspaceId)
        : edit(context, workspaceId, ['versions', 'members'], (tx, { newId }, session) =>
            retryChange(tx, changeId, newId, requireCipher(session)),
          ),
    'queue.discard': ({ workspaceId, changeId }) =>
      edit(context, workspaceId, ['projects', 'environments', 'variables', 'versions', 'members'], (tx, editContext) =>
        discardChange(tx, editContext, changeId),
      ),
  }
}

/** Returns the state of sync: one word, and at most one sentence. */
function statusOf(session: WorkspaceSession, { queued, attention }: QueueCounts, unverified: number): SyncStatus {
  const engine = session.engine?.status() ?? null
  const problem = engine?.problem ?? session.engineProblem
  const needsUser = attention + unverified > 0 || session.needs().length > 0 || (engine?.phase === 'paused' && problem !== null)
  const rest = queued > 0 ? 'queued' : 'synced'
  const known = session.mirror.snapshot((tx) => ({
    isPaused: getState(tx, 'paused') !== null,
    isViewOnly: isViewOnly(tx),
    refusals: refusals(tx),
  }))
  const state =
    known.isPaused && engine?.phase !== 'syncing'
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
    ...known,
    keepsDeleted: keepsDeleted(session),
    limits: session.limits(),
  }
}

const stateOf = (phase: 'idle' | 'syncing' | 'offline' | 'paused', rest: 'queued' | 'synced'): SyncStatus['state'] =>
  phase === 'idle' ? rest : phase
