import { ok, type Result } from '../../../bridge/result.ts'
import { baseOfKind, getBase } from '../../../mirror/base-layer.ts'
import { allMembers, deleteMember, putRoles } from '../../../mirror/members-layer.ts'
import { getMeta, setMeta, type MetaKey } from '../../../mirror/meta.ts'
import { actsOf } from '../../../mirror/queue-layer.ts'
import { deleteVersion, forgetOrphans, hasOrphans, unmirroredVersions, versionsOf } from '../../../mirror/versions-layer.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import type { BaseRow } from '../../../queue/entry.ts'
import { applyVersion } from '../apply-version.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { everyPage } from '../every-page.ts'
import { isNoList } from './act-ends.ts'
import { applyMember } from './apply-member.ts'
import { sealVersion } from './keep-version.ts'

/** Of each environment so many of the newest versions are kept with their variables, so that they can be compared offline. */
const newestKept = 3
/** Versions larger than this are fetched when they are opened, and not before. */
const largestKept = 5_000
/** So many versions are fetched in one round: a first sync must not wait for all of them. */
const mostFetched = 12

export interface BesideOptions {
  /** Whether the change feed brings versions and members by itself: then the lists are only asked whether they are there. */
  fed: boolean
}

/**
 * Pulls what stands beside the variables: versions, members and roles. A list that this server does not have is remembered as such.
 * Gives the error that stopped it; what concerns these lists alone does not stop anything else.
 */
export async function pullBeside(deps: EngineDeps, { fed }: BesideOptions): Promise<RemoteError | null> {
  const steps = [() => pullRoles(deps), () => pullMembers(deps), () => (fed ? askForVersions(deps) : pullVersions(deps))]
  for (const step of steps) {
    const pulled = await step()
    if (!pulled.ok && isPassing(pulled.error)) return pulled.error
  }
  return null
}

/** Fetches the variables of the newest versions that are not here yet. `refused`: those that could not be read, not to be asked for again. */
export async function mirrorNewest(deps: EngineDeps, refused: Set<string>): Promise<RemoteError | null> {
  const wanted = deps.mirror.snapshot((tx) => unmirroredVersions(tx, newestKept, largestKept)).filter((id) => !refused.has(id))
  for (const remoteId of wanted.slice(0, mostFetched)) {
    const read = await deps.remote.getVersion(remoteId)
    if (!read.ok) {
      if (isPassing(read.error)) return read.error
      refused.add(remoteId)
      continue
    }
    // One without them would be asked for again with every pull.
    if (read.value.variables === undefined) refused.add(remoteId)
    const keep = sealVersion(deps.cipher, read.value)
    deps.mirror.write((tx) => keep(tx, () => deps.newId()))
    deps.onChange(['versions'])
  }
  return null
}

/** Forgets the versions of environments that are gone. */
export function forgetGone(deps: EngineDeps): void {
  if (!deps.mirror.snapshot(hasOrphans)) return
  deps.mirror.write(forgetOrphans)
  deps.onChange(['versions'])
}

/** Says nothing of a route, and will be otherwise another time. */
const isPassing = (error: RemoteError): boolean =>
  ['offline', 'interrupted', 'timeout', 'cancelled', 'unauthorized', 'busy', 'redirected'].includes(error.kind)

/** Remembers whether the server has a list. */
function learn(deps: EngineDeps, key: MetaKey, result: Result<unknown, RemoteError>): void {
  if (!result.ok && !isNoList(result.error)) return
  const now = result.ok ? null : 'absent'
  if (deps.mirror.snapshot((tx) => getMeta(tx, key)) === now) return
  deps.mirror.write((tx) => setMeta(tx, key, now))
  // A screen that is open says what cannot be listed, and offers to name it instead.
  deps.onChange(['versions', 'members'])
}

async function pullRoles(deps: EngineDeps): Promise<Result<null, RemoteError>> {
  const listed = await everyPage((cursor) => deps.remote.listRoles(cursor))
  learn(deps, 'no-role-list', listed)
  if (!listed.ok) return listed
  const rows = listed.value.map(({ id, name, permissions }, place) => ({ place, id, name, permissions: JSON.stringify(permissions) }))
  if (deps.mirror.write((tx) => putRoles(tx, rows))) deps.onChange(['members'])
  return ok(null)
}

async function pullMembers(deps: EngineDeps): Promise<Result<null, RemoteError>> {
  const listed = await everyPage((cursor) => deps.remote.listMembers(cursor))
  learn(deps, 'no-member-list', listed)
  if (!listed.ok) return listed
  const there = new Set(listed.value.map((member) => member.id))
  const changed = deps.mirror.write((tx) => {
    const any = listed.value.map((member) => applyMember(tx, member, () => deps.newId())).some(Boolean)
    // No member can be read alone: one that something unsent is about stays until that is answered, for a list may have been cut short.
    const gone = allMembers(tx).filter((member) => !there.has(member.remote_id) && actsOf(tx, member.id).length === 0)
    for (const member of gone) deleteMember(tx, member.id)
    return any || gone.length > 0
  })
  if (changed) deps.onChange(['members'])
  return ok(null)
}

const environments = (deps: EngineDeps): { row: BaseRow; project: string; environment: string }[] =>
  deps.mirror.snapshot((tx) =>
    baseOfKind(tx, 'environment').flatMap((row) => {
      const project = row.parentId === null ? undefined : getBase(tx, row.parentId)?.fields.slug
      const environment = row.fields.slug
      return project === undefined || environment === undefined ? [] : [{ row, project, environment }]
    }),
  )

/** One look at one list: whether the server has it. */
async function askForVersions(deps: EngineDeps): Promise<Result<null, RemoteError>> {
  const [first] = environments(deps)
  if (first === undefined) return ok(null)
  const listed = await deps.remote.listVersions(first.project, first.environment, null)
  learn(deps, 'no-version-list', listed)
  return ok(null)
}

async function pullVersions(deps: EngineDeps): Promise<Result<null, RemoteError>> {
  for (const { row, project, environment } of environments(deps)) {
    const listed = await everyPage((cursor) => deps.remote.listVersions(project, environment, cursor))
    learn(deps, 'no-version-list', listed)
    // Without the list nothing is known to be gone: versions that were asked for by id stay.
    if (!listed.ok) return listed
    if (listed.value.some((version) => version.environmentId !== row.remoteId)) continue
    const there = new Set(listed.value.map((version) => version.id))
    const absent = deps.mirror.snapshot((tx) => versionsOf(tx, row.remoteId)).filter((version) => !there.has(version.remote_id))
    const gone: string[] = []
    for (const version of absent) {
      const read = await deps.remote.getVersion(version.remote_id)
      if (!read.ok && isPassing(read.error)) return read
      if (!read.ok && read.error.kind === 'missing') gone.push(version.id)
    }
    const changed = deps.mirror.write((tx) => {
      const any = listed.value.map((version) => applyVersion(tx, version, () => deps.newId()).changed).some(Boolean)
      for (const id of gone) deleteVersion(tx, id)
      return any || gone.length > 0
    })
    if (changed) deps.onChange(['versions'])
  }
  return ok(null)
}
