import { err, ok, type Result } from '../../bridge/result.ts'
import type { Answer, Client } from '../client.ts'
import { notAService } from '../not-a-service.ts'
import type { RemoteError, RemotePage } from '../remote.ts'

type Sent<T> = Promise<Result<Answer<T>, RemoteError>>
type Reply<T> = Promise<Result<T, RemoteError>>

/** The data of an answer. */
export async function dataOf<T>(sent: Sent<T>): Reply<T> {
  const answer = await sent
  return answer.ok ? ok(answer.value.data) : answer
}

/**
 * A record with the ETag header as its `etag`. A field of that name in the record does not count
 * here: where the header is missing, nothing says that If-Match would be heeded.
 */
export async function recordOf<T extends { etag?: string | undefined }>(sent: Sent<T>): Reply<T> {
  const answer = await sent
  return answer.ok ? ok({ ...answer.value.data, etag: answer.value.etag }) : answer
}

/** Only that it succeeded. */
export async function doneOf(sent: Sent<unknown>): Reply<null> {
  const answer = await sent
  return answer.ok ? ok(null) : answer
}

/** One page of a list. A next cursor equal to the one just used would be asked for for ever. */
export async function pageAfter<T>(client: Client, cursor: string | null, sent: Sent<RemotePage<T>>): Reply<RemotePage<T>> {
  const page = await dataOf(sent)
  return page.ok && page.value.nextCursor !== null && page.value.nextCursor === cursor
    ? err(notAService(client.host, 'sent a list that never ends'))
    : page
}

/** Whether a list is empty or longer than the service takes. A careless service could take an empty one for all. */
export const outOfBounds = (list: readonly unknown[]): boolean => list.length < 1 || list.length > 200

export const wrongCount: RemoteError = {
  kind: 'unsafe',
  outcome: 'none',
  message: 'The service takes 1 to 200 records at once. Nothing was sent; send them in several parts.',
}

/** The query that asks for the page at `cursor`. */
export const at = (cursor: string | null): Record<string, string> => (cursor === null ? {} : { cursor })
