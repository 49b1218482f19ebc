import { err, ok, type Result } from '../../../bridge/result.ts'
import { notAService } from '../../../remote/not-a-service.ts'
import type { RemotePage } from '../../../remote/records.ts'
import type { RemoteError } from '../../../remote/remote.ts'

/** More pages than any workspace has; a service that gives out ever new cursors would otherwise be asked for ever. */
export const longestList = 10_000

/** The error for a list or a feed whose pages never come to an end. */
export const endless = (what: 'list' | 'change feed'): RemoteError => notAService('The service', `sent a ${what} that never ends`)

/** Every item of a list, page by page. A cursor that comes a second time, or an absurd count of pages, ends as `not-a-service`. */
export async function everyPage<T>(
  list: (cursor: string | null) => Promise<Result<RemotePage<T>, RemoteError>>,
): Promise<Result<T[], RemoteError>> {
  const items: T[] = []
  const cursors = new Set<string>()
  let cursor: string | null = null
  for (;;) {
    const listed: Result<RemotePage<T>, RemoteError> = await list(cursor)
    if (!listed.ok) return err(listed.error)
    for (const item of listed.value.items) items.push(item)
    cursor = listed.value.nextCursor
    if (cursor === null) return ok(items)
    if (cursors.has(cursor) || cursors.size >= longestList) return err(endless('list'))
    cursors.add(cursor)
  }
}
