import type { RemoteError } from '../../../remote/remote.ts'
import type { Delta, Failure, Known, PullPage, RemoteParent } from '../../port.ts'
import { failureOf, stopsAll } from '../shared/failures.ts'
import { memberRow, versionRow } from '../shared/remote-rows.ts'
import type { BasicDeps } from './basic-deps.ts'
import { pagesOf } from './pages-of.ts'

/**
 * Yields roles, members, and the versions of these environments, if the service lists them. Returns the failure that ended it; a list that
 * the service refuses is skipped.
 */
export async function* pullMetadata(
  { remote, accept, reader }: BasicDeps,
  known: Known,
  environments: readonly RemoteParent[],
): AsyncGenerator<PullPage, Failure | null> {
  const roles = await reader.listAll('roles', (cursor) => remote.listRoles(cursor))
  if (roles.ok) yield* pagesOf([{ is: 'roles', roles: roles.value }])
  else if (isPassing(roles.error)) return failureOf(roles.error)

  const members = await reader.listAll('members', (cursor) => remote.listMembers(cursor))
  if (members.ok) {
    const listed = new Set(members.value.map(({ id }) => id))
    yield* pagesOf([
      ...known
        .members()
        .flatMap((remoteId): Delta[] => (listed.has(remoteId) ? [] : [{ is: 'deleted', kind: 'member', remoteId, by: null }])),
      ...members.value.map((member): Delta => ({ is: 'member', member: memberRow(member) })),
    ])
  } else if (isPassing(members.error)) return failureOf(members.error)

  for (const { remoteId, path } of environments) {
    const versions = await reader.listAll('versions', (cursor) => remote.listVersions(path.project, path.environment, cursor))
    if (!versions.ok && isPassing(versions.error)) return failureOf(versions.error)
    // Without a list no version is known to be deleted: those fetched by their ids stay.
    if (!versions.ok || versions.value.some(({ environmentId }) => environmentId !== remoteId)) continue
    const listed = new Set(versions.value.map(({ id }) => id))
    const deltas = versions.value.map((version): Delta => ({ is: 'version', version: versionRow(version, accept) }))
    for (const id of known.versions(remoteId).filter((each) => !listed.has(each))) {
      const read = await remote.getVersion(id)
      if (!read.ok && isPassing(read.error)) return failureOf(read.error)
      if (!read.ok && read.error.kind === 'missing') deltas.push({ is: 'deleted', kind: 'version', remoteId: id, by: null })
    }
    yield* pagesOf(deltas)
  }
  return null
}

/** Whether the error is temporary and says nothing about the list. */
const isPassing = (error: RemoteError): boolean => stopsAll(error) && error.kind !== 'not-a-service'
