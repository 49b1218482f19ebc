import { isSealed } from '../../cipher/value-cipher.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { RemotePage, RemoteVariable } from '../../remote/records.ts'
import type { Remote, RemoteError, RemoteResult } from '../../remote/remote.ts'

/** `found` null: no value was found; if `complete`, there is none. */
export interface Search {
  /** The first sealed value, with what it is the value of. */
  found: RemoteVariable | null
  complete: boolean
}

/** The most requests of one search: a person is waiting, and existing values are nearly always in the first environments. */
const requestLimit = 60
const timeLimitMs = 20_000

/**
 * Finds one sealed value in a workspace, to try a key on: reads projects, their environments and their variables, in the service's order.
 * Values in plain text do not count. A service without lists gives an incomplete search. Errors: failures that say nothing about the
 * workspace (no network, 401, a failing service).
 */
export const findSealedValue = async (remote: Remote): Promise<Result<Search, RemoteError>> => {
  const begun = performance.now()
  const isSpent = (): boolean => state.requests >= requestLimit || performance.now() - begun > timeLimitMs
  const state: { requests: number; complete: boolean; failure: RemoteError | null } = { requests: 0, complete: true, failure: null }

  /** Every item of a list, page by page; ends early, and marks the search as incomplete, where it cannot go on. */
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

  for await (const project of all((cursor) => remote.listProjects(cursor))) {
    for await (const environment of all((cursor) => remote.listEnvironments(project.slug, cursor))) {
      for await (const variable of all((cursor) => remote.listVariables(project.slug, environment.slug, cursor))) {
        if (isSealed(variable.value)) return ok({ found: variable, complete: false })
      }
    }
  }
  return state.failure === null ? ok({ found: null, complete: state.complete }) : err(state.failure)
}

/** The service has no such list, or no longer has the record. */
const saysNoList = (error: RemoteError): boolean => error.kind === 'missing' || error.kind === 'no-route'
