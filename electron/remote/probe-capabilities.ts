import { ok, type Result } from '../bridge/result.ts'
import { nothingKnown, type Capabilities, type Offer } from './capabilities.ts'
import { isRouteAbsent } from './is-route-absent.ts'
import type { Remote, RemoteError } from './remote.ts'

/** Slugs that are known to exist, from the mirror or from the user; the probe looks for some where lists are offered. */
export interface KnownPlace {
  project: string
  environment: string | null
}

/**
 * Asks a server what it offers beyond the 14 operations, by GETs only: at most nine, fewer where it
 * offers little. A route is absent when it answers 404 or 405 while its parent exists, or with
 * something that is not the service's (a web page for every unknown address). What cannot be seen
 * without a project or an environment stays `unknown`: probe again once there is one. `creates` is
 * always `unknown` here, see `learn`. Fails only when the workspace cannot be read, or the
 * network or the API key failed midway.
 */
export async function probeCapabilities(remote: Remote, place: KnownPlace | null): Promise<Result<Capabilities, RemoteError>> {
  const workspace = await remote.getWorkspace()
  if (!workspace.ok) return workspace

  const projects = await remote.listProjects(null)
  const projectLists = offerOf(projects)
  if (!projectLists.ok) return projectLists

  // A cursor that no server gave out: whatever is said about it, the route is there, and no page has to be made.
  const changes = offerOf(await remote.changes(probeCursor))
  if (!changes.ok) return changes

  const members = offerOf(await remote.listMembers(null))
  if (!members.ok) return members

  const listed = projects.ok ? projects.value.items : []
  const inside = await probeProject(remote, place?.project ?? listed[0]?.slug ?? null, place?.environment ?? null)
  if (!inside.ok) return inside

  return ok({
    ...nothingKnown,
    lists: both(projectLists.value, inside.value.lists),
    changes: changes.value,
    members: members.value,
    versions: inside.value.versions,
    etags: etagsOf(inside.value.seen),
  })
}

const probeCursor = 'probe'

interface Inside {
  lists: Offer
  versions: Offer
  /** Single reads on the way. Etags beside the records of a list do not show that If-Match is heeded. */
  seen: { etag?: string | undefined }[]
}

async function probeProject(remote: Remote, slug: string | null, knownEnvironment: string | null): Promise<Result<Inside, RemoteError>> {
  if (slug === null) return ok({ lists: 'unknown', versions: 'unknown', seen: [] })
  const project = await remote.getProject(slug)
  if (!project.ok) return isPassing(project.error) ? project : ok({ lists: 'unknown', versions: 'unknown', seen: [] })

  const environments = await remote.listEnvironments(slug, null)
  const lists = offerOf(environments)
  if (!lists.ok) return lists

  const listed = environments.ok ? environments.value.items : []
  const environment = await probeEnvironment(remote, slug, knownEnvironment ?? listed[0]?.slug ?? null)
  if (!environment.ok) return environment
  return ok({
    lists: both(lists.value, environment.value.lists),
    versions: environment.value.versions,
    seen: [project.value, ...environment.value.seen],
  })
}

async function probeEnvironment(remote: Remote, project: string, slug: string | null): Promise<Result<Inside, RemoteError>> {
  if (slug === null) return ok({ lists: 'unknown', versions: 'unknown', seen: [] })
  const environment = await remote.getEnvironment(project, slug)
  if (!environment.ok) return isPassing(environment.error) ? environment : ok({ lists: 'unknown', versions: 'unknown', seen: [] })

  const lists = offerOf(await remote.listVariables(project, slug, null))
  if (!lists.ok) return lists
  const versions = offerOf(await remote.listVersions(project, slug, null))
  if (!versions.ok) return versions
  return ok({ lists: lists.value, versions: versions.value, seen: [environment.value] })
}

/** What an answer says about its route, or the error that ends the probe. */
function offerOf(result: Result<unknown, RemoteError>): Result<Offer, RemoteError> {
  if (result.ok) return ok('offered')
  if (isPassing(result.error)) return { ok: false, error: result.error }
  if (isRouteAbsent(result.error, true) || result.error.kind === 'not-a-service') return ok('absent')
  return ok(result.error.kind === 'server-failed' ? 'unknown' : 'offered')
}

/** Says nothing about a route, and will be otherwise another time. */
const isPassing = (error: RemoteError): boolean => passing.has(error.kind)

const passing: ReadonlySet<RemoteError['kind']> = new Set([
  'offline',
  'interrupted',
  'timeout',
  'cancelled',
  'unauthorized',
  'busy',
  'redirected',
])

/** One absent list is enough for what needs them all; none seen says nothing. */
function both(first: Offer, second: Offer): Offer {
  if (first === 'absent' || second === 'absent') return 'absent'
  return second === 'unknown' ? first : second
}

function etagsOf(records: readonly { etag?: string | undefined }[]): Offer {
  if (records.length === 0) return 'unknown'
  return records.some((record) => record.etag !== undefined) ? 'offered' : 'absent'
}
