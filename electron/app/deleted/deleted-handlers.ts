import { err, ok, type Result } from '../../bridge/result.ts'
import type { DeletedRow } from '../../bridge/rows.ts'
import { getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { countDeleted, deletedByRemote, type DeletedParent } from '../../mirror/deleted-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { RemoteDeleted } from '../../remote/records.ts'
import type { RemoteError } from '../../remote/remote.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { problemOfSlug } from '../edits/edit-parents.ts'
import type { Handlers } from '../handlers.ts'
import { atMost } from '../settings/at-most.ts'
import { inSession } from '../workspaces/in-session.ts'
import { ownRemote } from '../workspaces/own-remote.ts'
import { isNotOffered, remoteAppError } from '../workspaces/remote-app-error.ts'
import { deletedLimit, listOnService } from './deleted-on-service.ts'
import { lacksOf, projectOf, queuedAgain, restorableParents, restoreKept } from './restore-kept.ts'
import { keepsDeleted } from './restore-on-service.ts'

/** The longest wait for a service that may not answer. */
const syncMs = 3000

/**
 * Lists and restores deleted projects and environments. A full service keeps them for 30 days, so these need a connection. All others are
 * restored from the mirror's copy, as new edits.
 */
export const deletedHandlers = (context: AppContext): Pick<Handlers, 'deleted.list' | 'deleted.restore'> => ({
  'deleted.list': ({ workspaceId }) =>
    inSession(context, workspaceId, async (session) => {
      const { mirror } = session
      const onService = await listOnService(session)
      if (!onService.ok) return onService
      const listed = onService.value
      return ok(
        mirror.snapshot((tx) => {
          const there = new Set(listed.map(({ id }) => id))
          const kept = restorableParents(tx).filter((row) => !there.has(row.remote_id))
          const rows = [...listed.map((deleted) => toRow(tx, deleted)), ...kept.map((row) => keptRow(tx, row))]
          // A row that moves to another page between two requests is listed twice.
          const each = new Map(rows.map((row) => [row.id, row]))
          return [...each.values()].toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, deletedLimit)
        }),
      )
    }),
  'deleted.restore': ({ workspaceId, id, from, slug }) =>
    inSession(context, workspaceId, async (session) => {
      const badSlug = slug === undefined ? null : session.mirror.snapshot((tx) => problemOfSlug(tx, slug))
      if (badSlug !== null) return badSlug
      if (from === 'mirror') {
        // Someone may have restored it since the last sync. Created a second time, it would take their values through its old versions.
        if (keepsDeleted(session) && session.engine != null) await atMost(session.engine.syncNow(), syncMs)
        return edit(context, workspaceId, ['projects', 'environments', 'variables', 'versions'], (tx, { now, newId }) => {
          const kept = deletedByRemote(tx, id)
          if (kept === null || getBaseByRemote(tx, kept.kind, id) !== null) return err(restoredAlready)
          const done = restoreKept(tx, { now, newId }, kept, slug)
          return done.ok ? ok({ environmentId: kept.kind === 'environment' ? done.value.id : null }) : done
        })
      }
      const remote = await ownRemote(session)
      if (!remote.ok) return remote
      const restored = await remote.value.restoreDeleted(id, slug)
      if (!restored.ok) return refusalOf(restored.error)
      // The tree must show the restored rows when this command answers.
      await session.engine?.syncNow()
      return ok({ environmentId: session.mirror.snapshot((tx) => getBaseByRemote(tx, 'environment', id))?.id ?? null })
    }),
})

const restoredAlready = {
  kind: 'not-found',
  message: 'It was restored in the meantime, or is no longer kept on this computer.',
} as const

const notOffered = {
  kind: 'unsupported',
  message: 'This service can’t restore deleted projects or environments. Values deleted in the last 30 days are in the history.',
} as const

function toRow(tx: Tx, deleted: RemoteDeleted): DeletedRow {
  const project = deleted.parentId === null ? null : getBaseByRemote(tx, 'project', deleted.parentId)
  return {
    id: deleted.id,
    kind: deleted.resource,
    name: deleted.name,
    slug: deleted.slug,
    project: project?.fields.name ?? null,
    by: deleted.deletedBy,
    at: deleted.deletedAt,
    environments: deleted.environmentCount,
    variables: deleted.variableCount,
    versions: deleted.versionCount,
    from: 'service',
    lacks: null,
  }
}

function keptRow(tx: Tx, row: DeletedParent): DeletedRow {
  const project = row.parent_id === null ? null : (projectOf(tx, row) ?? getBase(tx, row.parent_id))
  // One that is being created again may have been renamed.
  const { name = row.name, slug = row.slug } = queuedAgain(tx, row)?.fields ?? {}
  return {
    id: row.remote_id,
    kind: row.kind,
    name,
    slug,
    project: project?.fields.name ?? null,
    by: row.by ?? (row.whose === 'mine' ? 'you' : 'someone else'),
    at: new Date(row.at).toISOString(),
    ...countDeleted(tx, row),
    from: 'mirror',
    lacks: lacksOf(tx, row),
  }
}

/** Returns the service's reason. Only a taken slug has its own error, because the user can choose another slug. */
function refusalOf(error: RemoteError): Result<never> {
  if (error.kind === 'taken') return err({ kind: 'name-taken', message: error.message })
  if (error.kind === 'missing') return err({ kind: 'not-found', message: error.message })
  return err(isNotOffered(error) ? notOffered : remoteAppError(error))
}
