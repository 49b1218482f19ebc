import { isSealed } from '../../cipher/value-cipher.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { ShownValue } from '../../cipher/verify-value.ts'
import type { RemotePage } from '../../remote/records.ts'
import type { Remote, RemoteError, RemoteResult } from '../../remote/remote.ts'

/** The result of a search. If `found` is null and the search is `complete`, the workspace has no sealed value. */
export interface Search {
  /** The first sealed value, with its variable's name and environment. */
  found: ShownValue | null
  complete: boolean
  /** Whether no project was found. */
  isEmpty: boolean
}

/** The most requests of one search. A person is waiting, and existing values are nearly always in the first environments. */
const requestLimit = 60
const timeLimitMs = 20_000

/**
 * Finds one sealed value in a workspace, to try a key on. Reads the variables of all environments in the service's order, then their
 * versions, which may have the only values left. Values in plain text do not count. On a service without lists the search is incomplete.
 * Errors: failures that say nothing about the workspace (no network, 401, a failing service).
 */
export const findSealedValue = async (remote: Remote): Promise<Result<Search, RemoteError>> => {
  const { all, state } = createReads()
  const places: Places = { hasProject: false, environments: [] }
  const found = (await findInVariables(remote, all, places)) ?? (await findInVersions(remote, all, places.environments))
  const isEmpty = !places.hasProject
  if (found !== null) return ok({ found, complete: false, isEmpty })
  return state.failure === null ? ok({ found: null, complete: state.complete, isEmpty }) : err(state.failure)
}

/** Where a search has looked for variables. */
interface Places {
  hasProject: boolean
  environments: { id: string; project: string; slug: string }[]
}

/** Looks through the variables of all environments, and notes the environments. */
async function findInVariables(remote: Remote, all: Reads['all'], places: Places): Promise<ShownValue | null> {
  for await (const project of all((cursor) => remote.listProjects(cursor))) {
    places.hasProject = true
    for await (const { id, slug } of all((cursor) => remote.listEnvironments(project.slug, cursor))) {
      places.environments.push({ id, project: project.slug, slug })
      for await (const variable of all((cursor) => remote.listVariables(project.slug, slug, cursor)))
        if (isSealed(variable.value)) return variable
    }
  }
  return null
}

/** Looks through the versions of these environments. */
async function findInVersions(remote: Remote, all: Reads['all'], environments: Places['environments']): Promise<ShownValue | null> {
  for (const { id, project, slug } of environments) {
    for await (const listed of all((cursor) => remote.listVersions(project, slug, cursor))) {
      if (listed.variableCount === 0) continue
      for await (const version of all(() => asPage(remote.getVersion(listed.id)))) {
        const saved = version.variables?.find(({ value }) => isSealed(value))
        if (saved !== undefined) return { ...saved, environmentId: id }
      }
    }
  }
  return null
}

/** Returns one record as a list, so that it counts as a request. */
const asPage = <T>(answer: RemoteResult<T>): RemoteResult<RemotePage<T>> =>
  answer.then((read) => (read.ok ? ok({ items: [read.value], nextCursor: null }) : read))

interface Reads {
  /** Yields every item of a list, page by page. If it can't go on, it ends early and marks the search as incomplete. */
  all<T>(page: (cursor: string | null) => RemoteResult<RemotePage<T>>): AsyncGenerator<T>
  readonly state: { requests: number; complete: boolean; failure: RemoteError | null }
}

/** Reads lists within the limits of one search. */
function createReads(): Reads {
  const begun = performance.now()
  const isSpent = (): boolean => state.requests >= requestLimit || performance.now() - begun > timeLimitMs
  const state: Reads['state'] = { requests: 0, complete: true, failure: null }

  async function* all<T>(page: (cursor: string | null) => RemoteResult<RemotePage<T>>): AsyncGenerator<T> {
    let cursor: string | null = null
    do {
      if (isSpent()) state.complete = false
      if (state.failure !== null || isSpent()) return
      state.requests += 1
      const answer: Result<RemotePage<T>, RemoteError> = await page(cursor)
      if (!answer.ok) {
        state.complete = false
        if (!saysNoList(answer.error)) state.failure = answer.error
        return
      }
      yield* answer.value.items
      cursor = answer.value.nextCursor
    } while (cursor !== null)
  }
  return { all, state }
}

/** Whether the service has no such list, or no longer has the record. */
const saysNoList = (error: RemoteError): boolean => error.kind === 'missing' || error.kind === 'no-route'
