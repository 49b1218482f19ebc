import { err, ok, type Result } from '../bridge/result.ts'
import type { Call, Client, ClientError } from './client.ts'
import { feedPage, workspaceRecord } from './records.ts'
import type { RemoteError } from './remote.ts'
import { listNames, type Extension, type ServiceProfile } from './service-profile.ts'

export interface ProfiledClient {
  client: Client
  /** null until the change feed was asked for. */
  profile(): ServiceProfile | null
  /** Returns the profile. Asks for the change feed first, unless the service is known to have it. */
  findProfile(): Promise<Result<ServiceProfile, RemoteError>>
}

/**
 * A client whose extensions end in `no-route` where the service does not offer them, and the profile that their answers show. Outside the
 * 14 operations, a service may answer an unknown route with any 4xx, 501, a redirect or a web page. If the route is known to exist (it has
 * answered before, or the service is full), such an answer keeps its usual meaning. Otherwise operation 1 is tried. If operation 1 works,
 * the service does not offer the route. If operation 1 fails, the route stays unknown: a network's sign-in page must not look like a
 * service that offers nothing. Its error then replaces a 404, which would mean a deleted record.
 */
export function findProfile(client: Client): ProfiledClient {
  const offers = new Map<Extension, boolean>()

  /** Remembers whether the answer shows that the service offers the extension. Returns the error that the answer means, or null. */
  const meaningOf = async (extension: Extension, error: ClientError | null): Promise<ClientError | null> => {
    if (error === null) offers.set(extension, true)
    if (error === null || !mayMeanNoRoute(error)) return error
    if (extension !== 'changes') {
      if (offers.get(extension) === true) return error
      const known = offers.get('changes')
      const isFed = known === undefined ? await findFeed() : ok(known)
      if (!isFed.ok) return isFed.error
      if (isFed.value) return error
    }
    if (offers.get(extension) !== false) {
      const workspace = await client.send({ method: 'GET', path: ['workspace'] }, workspaceRecord)
      if (!workspace.ok) return error.kind === 'missing' ? workspace.error : error
    }
    // A service that has lost its feed counts as another one: forget what its routes have shown.
    if (extension === 'changes' && offers.get('changes') === true) offers.clear()
    offers.set(extension, false)
    return notOffered
  }

  /** Returns whether the service has a change feed, or an error if the service can't be asked now. */
  const findFeed = async (): Promise<Result<boolean, RemoteError>> => {
    const first = await client.send({ method: 'GET', path: ['changes'], query: { limit: '1' }, extension: 'changes' }, feedPage)
    const error = await meaningOf('changes', first.ok ? null : unlessGone(first.error, null))
    if (error === null) return ok(true)
    return error.kind === 'no-route' ? ok(false) : err(error)
  }

  /**
   * Returns what an error of the 14 operations means. A basic service may have web pages of its own for them. If operation 1 fails too,
   * something in between sent the page.
   */
  const meaningOfPage = async (error: ClientError): Promise<RemoteError> => {
    const { ifFromBetween, ...own } = error
    if (ifFromBetween === undefined || offers.get('changes') === true) return fromFull(error)
    if (own.kind === 'unauthorized') return own
    const workspace = await client.send({ method: 'GET', path: ['workspace'] }, workspaceRecord)
    return workspace.ok ? own : ifFromBetween
  }

  const profile = () => profileOf(offers)

  return {
    client: {
      host: client.host,
      async send(call, schema) {
        const answer = await client.send(call, schema)
        if (call.extension === undefined) return answer.ok ? answer : err(await meaningOfPage(answer.error))
        const error = await meaningOf(call.extension, answer.ok ? null : unlessGone(answer.error, call))
        return answer.ok || error === null ? answer : err(offers.get('changes') === true ? fromFull(error) : error)
      },
    },
    profile,
    async findProfile() {
      const found = offers.get('changes') === true ? ok(true) : await findFeed()
      if (!found.ok) return found
      return ok(profile() ?? { kind: 'basic', lists: [], missing: [...always] })
    },
  }
}

/** Returns the profile that the answers show; null: the service was not asked for its change feed yet. */
function profileOf(offers: ReadonlyMap<Extension, boolean>): ServiceProfile | null {
  const isFed = offers.get('changes')
  if (isFed === undefined) return null
  if (isFed) return { kind: 'full', lists: [...listNames], missing: [] }
  const isMissing = (...extensions: Extension[]) => extensions.some((extension) => offers.get(extension) === false)
  return {
    kind: 'basic',
    lists: listNames.filter((name) => offers.get(name) === true),
    missing: [...always, ...limits.flatMap(([sentence, ...extensions]) => (isMissing(...extensions) ? [sentence] : []))],
  }
}

/** Returns what an error of a full service means: its own are JSON, so a web page comes from something in between. */
const fromFull = (error: ClientError): RemoteError => error.ifFromBetween ?? error

/** Only a cursor can be too old. If no cursor was sent, 410 says that there is no feed. */
const unlessGone = (error: ClientError, call: Call | null): ClientError =>
  error.kind === 'cursor-gone' && call?.query?.['cursor'] === undefined ? notOffered : error

/**
 * Returns whether a service that does not have the route can answer with this error. 409, 412, 413, 415 and 422 are about what was sent.
 */
function mayMeanNoRoute(error: RemoteError): boolean {
  switch (error.kind) {
    case 'missing':
    case 'no-route':
    case 'not-a-service':
    case 'redirected':
      return true
    case 'refused':
      return ![413, 415, 422].includes(error.status)
    case 'service-failed':
      return error.status === 501
    default:
      return false
  }
}

const notOffered: RemoteError = { kind: 'no-route', outcome: 'none', message: 'This service doesn’t offer this operation.' }

/** What no service without the feed can do. */
const always = [
  'This service has no change feed: each sync reads everything again, and a change that someone else makes at the same moment can be overwritten. The overwritten value is kept in the value history.',
  'This service can’t create projects or variables: new ones wait here until someone creates them there.',
]

const limits: readonly [sentence: string, ...Extension[]][] = [
  ['This service can’t list its projects, environments and variables: add the names to track.', 'projects', 'environments', 'variables'],
  ['This service can’t list versions: enter the ID of a version to see it or roll back to it.', 'versions'],
  ['This service can’t list members: enter the ID of a member to remove them.', 'members'],
  ['This service can’t list roles: enter the ID of a role to invite someone.', 'roles'],
]
