import { err, ok, type Result } from '../../bridge/result.ts'
import type { DeletedRow } from '../../bridge/rows.ts'
import { getBaseByRemote } from '../../mirror/base-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Remote, RemoteDeleted, RemoteError } from '../../remote/remote.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { remoteAppError } from '../workspaces/remote-app-error.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

/** As many as one screen can show; the service keeps the newest first. */
const limit = 1000

/** What was deleted in the last 30 days, and bringing it back. Both are the service's work: neither is done offline. */
export const deletedHandlers = (context: AppContext): Pick<Handlers, 'deleted.list' | 'deleted.restore'> => ({
  async 'deleted.list'({ workspaceId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const remote = remoteOf(session.value)
    if (!remote.ok) return remote
    const listed = await listAll(remote.value)
    if (!listed.ok) return err(isNotOffered(listed.error) ? notOffered : remoteAppError(listed.error))
    return ok(session.value.mirror.snapshot((tx) => listed.value.map((deleted) => toRow(tx, deleted))))
  },
  async 'deleted.restore'({ workspaceId, id, slug }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const remote = remoteOf(session.value)
    if (!remote.ok) return remote
    const restored = await remote.value.restoreDeleted(id, slug)
    if (!restored.ok) return refusalOf(restored.error, slug)
    // So that the tree has it when this is answered.
    await session.value.engine?.syncNow()
    return ok({ environmentId: session.value.mirror.snapshot((tx) => getBaseByRemote(tx, 'environment', id))?.id ?? null })
  },
})

const notOffered = {
  kind: 'unsupported',
  message: "This service can't restore deleted projects or environments. Values deleted in the last 30 days are in the history.",
} as const

const isNotOffered = ({ kind }: RemoteError): boolean => kind === 'no-route' || kind === 'missing'

function remoteOf(session: WorkspaceSession): Result<Remote> {
  if (session.remote !== null) return ok(session.remote)
  return err(session.engineProblem ?? { kind: 'offline', message: 'Not connected to the service. Connect, then try again.' })
}

async function listAll(remote: Remote): Promise<Result<RemoteDeleted[], RemoteError>> {
  const items: RemoteDeleted[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Remote['listDeleted']>> = await remote.listDeleted(cursor)
    if (!page.ok) return page
    items.push(...page.value.items)
    cursor = page.value.nextCursor
  } while (cursor !== null && items.length < limit)
  return ok(items)
}

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
  }
}

/** The service says what is in the way. Only a slug that is used again has a way on of its own: another slug. */
function refusalOf(error: RemoteError, slug: string | undefined): Result<never> {
  if (error.kind === 'taken') return err({ kind: 'name-taken', name: slug ?? '', message: error.message })
  if (error.kind === 'missing') return err({ kind: 'not-found', message: error.message })
  return err(isNotOffered(error) ? notOffered : remoteAppError(error))
}
