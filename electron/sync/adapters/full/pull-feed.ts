import { ok, type Result } from '../../../bridge/result.ts'
import type { RowKind } from '../../../queue/entry.ts'
import type { FeedItem, RecordResource, RemoteRecord } from '../../../remote/records.ts'
import type { Remote, RemoteError } from '../../../remote/remote.ts'
import type { Delta, Known, SyncPort } from '../../port.ts'
import { endless } from '../shared/every-page.ts'
import { failed } from '../shared/failures.ts'
import { slicesOf } from '../../slices.ts'
import { memberRow, rowOf, versionRow, weightOfRecord } from '../shared/remote-rows.ts'
import type { Accept } from '../shared/value-rules.ts'

type Pages = ReturnType<SyncPort['pull']>

/** More pages than any workspace has. */
const longestFeed = 100_000
/** How often in one pull a service may reject its own cursors. */
const mostRestarts = 3

/**
 * Follows the change feed to its end. With cursor null it reads everything: known rows that the feed did not show are then read one by one,
 * and no cursor is returned before that is done, so that an interrupted pull starts again.
 */
export async function* pullFeed(remote: Remote, accept: Accept, cursor: string | null, known: Known): Pages {
  let from = cursor
  let restarts = 0
  /** The records that a full read showed; null: only news are read. */
  let shown: Set<string> | null = null
  let restarted = false
  const cursors = new Set<string>()
  for (;;) {
    // Evaluated again at each restart, because this pull may have written rows.
    if (from === null) shown = isKnowing(known) ? new Set() : null
    const read = await remote.changes(from)
    if (!read.ok) {
      if (read.error.kind !== 'cursor-gone' || from === null) return yield failed(read.error)
      if ((restarts += 1) > mostRestarts) return yield failed(endless('change feed'))
      from = null
      restarted = !read.error.isPruned
      cursors.clear()
      continue
    }
    const { items, nextCursor, more, history, workspaceName: name, permissions, memberId } = read.value
    for (const { resource, id, record } of items) if (record !== null) shown?.add(`${resource}/${id}`)
    // The feed repeats changes sent from here, with the ETag of their answer: skip them. A first read knows no rows yet, and a full read
    // needs all of them.
    const isAboutAll = cursor === null || shown !== null
    const slices = items.length === 0 ? [items] : slicesOf(items, undefined, weightOf)
    for (const [index, slice] of slices.entries()) {
      const reached = index === slices.length - 1 ? nextCursor : from
      const deltas = (isAboutAll ? slice : withoutUnchanged(slice, known)).map((item) => deltaOf(item, accept))
      const workspace = { name, permissions, memberId }
      yield { ok: true, value: { deltas, cursor: shown === null ? reached : null, restarted, history, workspace } }
      restarted = false
    }
    if (!more) {
      if (shown === null) return
      return yield* readUnshown(remote, accept, known, shown, nextCursor)
    }
    if (cursors.has(nextCursor) || cursors.size >= longestFeed) return yield failed(endless('change feed'))
    cursors.add(nextCursor)
    from = nextCursor
  }
}

const weightOf = (item: FeedItem): number => weightOfRecord(recordOf(item))

const recordOf = (item: FeedItem): RemoteRecord | null => (item.record === null ? null : (item as RemoteRecord))

function withoutUnchanged(items: readonly FeedItem[], known: Known): readonly FeedItem[] {
  const variables = items.flatMap(({ resource, id, record }) =>
    resource === 'variable' && record !== null ? [{ remoteId: id, parentRemoteId: record.environmentId, etag: record.etag }] : [],
  )
  const unchanged = known.unchanged(variables)
  return items.filter(({ resource, id, record }) => resource !== 'variable' || record === null || !unchanged.has(id))
}

const isKnowing = (known: Known): boolean => known.rows('project', null).length > 0 || known.members().length > 0

/** How many records that a full read did not show are read for one page. */
const mostUnshown = 50

/**
 * Yields pages of the known records that a full read did not show. They are read one by one, because a feed may be incomplete. Only the
 * last page has the `cursor`.
 */
async function* readUnshown(remote: Remote, accept: Accept, known: Known, shown: ReadonlySet<string>, cursor: string): Pages {
  const unshown = unshownRecords(remote, known, shown)
  for (let deltas: Delta[] = []; ; deltas = []) {
    while (deltas.length < mostUnshown) {
      const read = await unshown.next()
      if (read.done === true) return yield { ok: true, value: { deltas, cursor, restarted: false } }
      if (!read.value.ok) return yield failed(read.value.error)
      deltas.push(deltaOf(read.value.value, accept))
    }
    yield { ok: true, value: { deltas, cursor: null, restarted: false } }
  }
}

/** The present state of each known record that was not shown. Skips records below a deleted one. Ends after the first failure. */
async function* unshownRecords(remote: Remote, known: Known, shown: ReadonlySet<string>) {
  /** Returns whether a record exists; reads it if it was not shown. */
  async function* read(resource: RecordResource, id: string): AsyncGenerator<Result<FeedItem, RemoteError>, boolean> {
    if (shown.has(`${resource}/${id}`)) return true
    const answer = await remote.getRecord(resource, id)
    if (!answer.ok && answer.error.kind !== 'missing') yield answer
    else yield ok({ id, resource, record: answer.ok ? answer.value.record : null } as FeedItem)
    return answer.ok
  }
  async function* below(kind: RowKind, parentRemoteId: string | null): AsyncGenerator<Result<FeedItem, RemoteError>, void> {
    for (const { remoteId } of known.rows(kind, parentRemoteId)) {
      if (!(yield* read(kind, remoteId))) continue
      if (kind === 'project') yield* below('environment', remoteId)
      if (kind !== 'environment') continue
      yield* below('variable', remoteId)
      for (const id of known.versions(remoteId)) yield* read('version', id)
    }
  }
  yield* below('project', null)
  for (const id of known.members()) yield* read('member', id)
}

function deltaOf(item: FeedItem, accept: Accept): Delta {
  const record = recordOf(item)
  if (record === null) return { is: 'deleted', kind: item.resource, remoteId: item.id, by: null }
  if (record.resource === 'version') return { is: 'version', version: versionRow(record.record, accept) }
  if (record.resource === 'member') return { is: 'member', member: memberRow(record.record) }
  return { is: 'row', row: rowOf(record, accept), tracked: null }
}
