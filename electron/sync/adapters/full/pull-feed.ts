import { ok, type Result } from '../../../bridge/result.ts'
import type { RowKind } from '../../../queue/entry.ts'
import type { FeedItem, RecordResource, Remote, RemoteError, RemoteRecord } from '../../../remote/remote.ts'
import type { Delta, Known, SyncPort } from '../../port.ts'
import { endless } from '../shared/every-page.ts'
import { failed } from '../shared/failures.ts'
import { slicesOf } from '../shared/slices.ts'
import { memberRow, rowOf, versionRow } from '../shared/remote-rows.ts'
import type { Accept } from '../shared/value-rules.ts'

type Pages = ReturnType<SyncPort['pull']>

/** More pages than the history of any workspace has. */
const longestFeed = 100_000
/** How often in one pull a service may disown the cursors that it gave. */
const mostRestarts = 3

/**
 * Follows the change feed to its end. From null on everything is read: where rows are known already, those that never came are read one by
 * one, and until that is done no cursor is given out, so that a pull that was cut short begins again.
 */
export async function* pullFeed(remote: Remote, accept: Accept, cursor: string | null, known: Known): Pages {
  let from = cursor
  let restarts = 0
  /** What a full read showed; null while only what is new is read. */
  let shown: Set<string> | null = null
  let restarted = false
  const cursors = new Set<string>()
  for (;;) {
    // Read anew each time: what this pull applies is known from then on.
    if (from === null) shown = isKnowing(known) ? new Set() : null
    const read = await remote.changes(from)
    if (!read.ok) {
      if (read.error.kind !== 'cursor-gone' || from === null) return yield failed(read.error)
      if ((restarts += 1) > mostRestarts) return yield failed(endless('change feed'))
      from = null
      restarted = true
      cursors.clear()
      continue
    }
    const { items, nextCursor, more } = read.value
    for (const { resource, id, record } of items) if (record !== null) shown?.add(`${resource}/${id}`)
    // What was sent from here comes back, with the ETag that its answer had; a first read knows nothing yet, and a full one asks about everything.
    const slices = slicesOf(cursor === null || shown !== null ? items : withoutUnchanged(items, known))
    for (const [index, slice] of slices.entries()) {
      const reached = index === slices.length - 1 ? nextCursor : from
      yield { ok: true, value: { deltas: slice.map((item) => deltaOf(item, accept)), cursor: shown === null ? reached : null, restarted } }
      restarted = false
    }
    if (!more) {
      if (shown === null) return
      const unshown = await readUnshown(remote, accept, known, shown)
      return yield unshown.ok ? { ok: true, value: { deltas: unshown.value, cursor: nextCursor, restarted: false } } : failed(unshown.error)
    }
    if (cursors.has(nextCursor) || cursors.size >= longestFeed) return yield failed(endless('change feed'))
    cursors.add(nextCursor)
    from = nextCursor
  }
}

function withoutUnchanged(items: readonly FeedItem[], known: Known): readonly FeedItem[] {
  const variables = items.flatMap(({ resource, id, record }) =>
    resource === 'variable' && record !== null ? [{ remoteId: id, etag: record.etag }] : [],
  )
  const unchanged = known.unchanged(variables)
  return items.filter(({ resource, id, record }) => resource !== 'variable' || record === null || !unchanged.has(id))
}

const isKnowing = (known: Known): boolean => known.rows('project', null).length > 0 || known.members().length > 0

/** Reads what a full read did not show, one by one: a feed may have been cut short. Nothing is read below what is deleted. */
async function readUnshown(
  remote: Remote,
  accept: Accept,
  known: Known,
  shown: ReadonlySet<string>,
): Promise<Result<Delta[], RemoteError>> {
  const deltas: Delta[] = []
  /** Whether a record exists; what was not shown is read. */
  const exists = async (resource: RecordResource, id: string): Promise<Result<boolean, RemoteError>> => {
    if (shown.has(`${resource}/${id}`)) return ok(true)
    const read = await remote.getRecord(resource, id)
    if (!read.ok && read.error.kind !== 'missing') return read
    deltas.push(deltaOf({ id, resource, record: read.ok ? read.value.record : null } as FeedItem, accept))
    return ok(read.ok)
  }
  const below = async (kind: RowKind, parentRemoteId: string | null): Promise<Result<boolean, RemoteError>> => {
    for (const { remoteId } of known.rows(kind, parentRemoteId)) {
      const found = await exists(kind, remoteId)
      if (!found.ok) return found
      if (!found.value) continue
      const read =
        kind === 'project' ? await below('environment', remoteId) : kind === 'environment' ? await inEnvironment(remoteId) : found
      if (!read.ok) return read
    }
    return ok(true)
  }
  const each = async (resource: 'version' | 'member', ids: readonly string[]): Promise<Result<boolean, RemoteError>> => {
    for (const id of ids) {
      const found = await exists(resource, id)
      if (!found.ok) return found
    }
    return ok(true)
  }
  const inEnvironment = async (remoteId: string): Promise<Result<boolean, RemoteError>> => {
    const variables = await below('variable', remoteId)
    return variables.ok ? each('version', known.versions(remoteId)) : variables
  }
  const rows = await below('project', null)
  const read = rows.ok ? await each('member', known.members()) : rows
  return read.ok ? ok(deltas) : read
}

function deltaOf(item: FeedItem, accept: Accept): Delta {
  if (item.record === null) return { is: 'deleted', kind: item.resource, remoteId: item.id, by: null }
  const record = item as RemoteRecord
  if (record.resource === 'version') return { is: 'version', version: versionRow(record.record, accept) }
  if (record.resource === 'member') return { is: 'member', member: memberRow(record.record) }
  return { is: 'row', row: rowOf(record, accept), tracked: null }
}
