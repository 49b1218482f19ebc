import type { Table } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { noteDeletedBy } from '../../mirror/deleted-layer.ts'
import type { RemoteDeleted } from '../../remote/records.ts'
import type { Remote, RemoteError } from '../../remote/remote.ts'
import type { AppContext } from '../app-context.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { ownRemote } from '../workspaces/own-remote.ts'
import { isNotOffered, remoteAppError } from '../workspaces/remote-app-error.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

/** The most that one screen can show; the service lists the newest first. */
export const deletedLimit = 1000

/** Returns the deleted rows that the service lists, and stores who deleted them; empty for a service that keeps none. */
export async function listOnService(session: WorkspaceSession): Promise<Result<RemoteDeleted[]>> {
  const profile = session.remote?.profile() ?? session.mirror.snapshot(readProfile)
  if (profile?.kind === 'basic') return ok([])
  const remote = await ownRemote(session)
  if (!remote.ok) return remote
  const listed = await listAll(remote.value)
  if (!listed.ok) return isNotOffered(listed.error) ? ok([]) : err(remoteAppError(listed.error))
  noteAuthors(session, listed.value)
  return listed
}

/** Stores who deleted each row, for its conflict and for when it is restored from the mirror: only this list says it. */
function noteAuthors({ mirror }: WorkspaceSession, listed: readonly RemoteDeleted[]): void {
  if (listed.length === 0) return
  mirror.write((tx) => {
    for (const { id, deletedBy } of listed) noteDeletedBy(tx, id, deletedBy)
  })
}

async function listAll(remote: Remote): Promise<Result<RemoteDeleted[], RemoteError>> {
  const items: RemoteDeleted[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Remote['listDeleted']>> = await remote.listDeleted(cursor)
    if (!page.ok) return page
    items.push(...page.value.items)
    cursor = page.value.nextCursor
  } while (cursor !== null && items.length < deletedLimit)
  return ok(items)
}

/**
 * Returns a function that asks the service who deleted certain projects and environments, without waiting for the answer. `unnamed`: the rows
 * of a list that lack a name. It asks once for each row, and tells the page that `table` has changed when it has a name.
 */
export function createAuthors({ emit }: AppContext, table: Table): (session: WorkspaceSession, unnamed: readonly number[]) => void {
  const asked = new Set<string>()
  return (session, unnamed) => {
    const unknown = unnamed.map((row) => `${session.id} ${row}`).filter((question) => !asked.has(question))
    if (unknown.length === 0 || session.engine === null || session.engine.status().phase === 'offline') return
    for (const question of unknown) asked.add(question)
    const learn = async () => {
      const listed = await listOnService(session)
      if (listed.ok && listed.value.length > 0) emit({ push: 'changed', workspaceId: session.id, tables: [table] })
      if (!listed.ok) for (const question of unknown) asked.delete(question)
    }
    // The workspace may be closed before the service answers.
    learn().catch(() => undefined)
  }
}
