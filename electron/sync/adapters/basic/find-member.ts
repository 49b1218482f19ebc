import { ok, type Result } from '../../../bridge/result.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import type { RemoteMemberRow } from '../../port.ts'
import { memberRow } from '../shared/remote-rows.ts'
import type { BasicDeps } from './basic-deps.ts'
import { isNoList } from './row-reader.ts'

/** A member from the service's list; null: the list doesn't have it; undefined: the service has no list. */
export async function findMember(
  { remote, reader }: BasicDeps,
  isIt: (member: RemoteMemberRow) => boolean,
): Promise<Result<RemoteMemberRow | null | undefined, RemoteError>> {
  const listed = await reader.listAll('members', (cursor) => remote.listMembers(cursor))
  if (!listed.ok) return isNoList(listed.error) ? ok(undefined) : listed
  return ok(listed.value.map(memberRow).find(isIt) ?? null)
}

export const hasEmail =
  (email: string) =>
  (member: RemoteMemberRow): boolean =>
    member.email.toLowerCase() === email.toLowerCase()
