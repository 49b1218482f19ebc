import { err, ok, type Result } from '../../../bridge/result.ts'
import { notAService } from '../../../remote/not-a-service.ts'
import type { RemotePage } from '../../../remote/records.ts'
import type { RemoteError } from '../../../remote/remote.ts'

/** More pages than any workspace has: a service may return new cursors without an end. */
export const longestList = 10_000

/** Characters of all texts of a list, which is held in memory: far more than any workspace has. */
const mostText = 512 * 1024 * 1024

/** The error for a list or feed without an end. */
export const endless = (what: 'list' | 'change feed'): RemoteError => notAService('The service', `sent a ${what} that never ends`)

/**
 * Reads all items of a list, page by page. Returns `not-a-service` for a repeated cursor, too many pages, or more text than memory may
 * hold.
 */
export async function everyPage<T>(
  list: (cursor: string | null) => Promise<Result<RemotePage<T>, RemoteError>>,
): Promise<Result<T[], RemoteError>> {
  const items: T[] = []
  const cursors = new Set<string>()
  let text = 0
  let cursor: string | null = null
  for (;;) {
    const listed: Result<RemotePage<T>, RemoteError> = await list(cursor)
    if (!listed.ok) return err(listed.error)
    for (const item of listed.value.items) {
      items.push(item)
      text += textOf(item)
    }
    if (text > mostText) return err(endless('list'))
    cursor = listed.value.nextCursor
    if (cursor === null) return ok(items)
    if (cursors.has(cursor) || cursors.size >= longestList) return err(endless('list'))
    cursors.add(cursor)
  }
}

/** The characters of an item's texts, plus a fixed size for the rest of it. */
const textOf = (item: unknown): number =>
  Object.values(item ?? {}).reduce((sum: number, field: unknown) => sum + (typeof field === 'string' ? field.length : 0), 100)
