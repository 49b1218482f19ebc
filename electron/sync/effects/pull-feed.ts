import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { allBase, getBaseByRemote, putBase } from '../../mirror/base-layer.ts'
import { getMeta, setMeta } from '../../mirror/meta.ts'
import { anySending, changesOfRow, createClaiming } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import type { FeedItem, RemoteError } from '../../remote/remote.ts'
import type { Change, RowKind } from '../../queue/entry.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { applyGone, applyUpsert } from './apply-theirs.ts'
import { confirmGone } from './confirm-gone.ts'
import type { EngineDeps } from './engine-deps.ts'
import { endless } from './every-page.ts'
import { applyBeside } from './acts/apply-beside.ts'
import { applyContext } from './apply-context.ts'
import { environmentRow, projectRow, variableRow, type RemoteRow } from './remote-row.ts'

/** More pages than the history of any workspace has. */
const longestFeed = 100_000
/** So often in one run a server may disown the cursors it gave. */
const mostEpochs = 3

/** How a pull ended. `unsupported`: this server has no such route. */
export type Pulled = { do: 'done' } | { do: 'unsupported' } | { do: 'stop'; error: RemoteError }

/**
 * Follows the change feed to its end. The cursor is stored in the same transaction as its page, so a
 * crash repeats a page or does not, and never skips one. A cursor of another epoch (410), or none,
 * means everything from the beginning; rows that then never came are asked for one by one before they go.
 */
export async function pullFeed(deps: EngineDeps): Promise<Pulled> {
  let seen: Set<string> | null = null
  let cursors = new Set<string>()
  let epochs = 0
  /** Where to go on, from the first page on that something under way held back: that page is read again by the next pull. */
  let beyond: string | null = null
  for (;;) {
    const cursor = deps.mirror.snapshot((tx) => (getMeta(tx, 'full-pull') === null ? getMeta(tx, 'feed-cursor') : null))
    const from: string | null = beyond ?? (seen === null ? cursor : deps.mirror.snapshot((tx) => getMeta(tx, 'feed-cursor')))
    if (from === null) {
      seen = new Set()
      deps.mirror.write((tx) => setMeta(tx, 'full-pull', 'running'))
    }
    const pulled = await deps.remote.changes(from)
    if (!pulled.ok) {
      if (pulled.error.kind === 'missing' || pulled.error.kind === 'no-route') {
        deps.mirror.write((tx) => setMeta(tx, 'full-pull', null))
        return { do: 'unsupported' }
      }
      if (pulled.error.kind !== 'cursor-gone' || from === null) return { do: 'stop', error: pulled.error }
      if ((epochs += 1) > mostEpochs) return { do: 'stop', error: endless('change feed') }
      deps.mirror.write((tx) => setMeta(tx, 'feed-cursor', null))
      seen = null
      beyond = null
      cursors = new Set()
      continue
    }
    const { items, nextCursor, more } = pulled.value
    const changed = deps.mirror.write((tx) => {
      if (beyond !== null || (anySending(tx) && items.some((item) => isHeld(tx, item, deps)))) beyond = nextCursor
      const any = items.map((item) => applyItem(tx, item, deps)).some(Boolean)
      if (beyond === null) setMeta(tx, 'feed-cursor', nextCursor)
      return any
    })
    for (const item of items) if (item.record !== null) seen?.add(`${item.resource}/${item.id}`)
    if (changed) deps.onChange(['projects', 'environments', 'variables', 'versions', 'members', 'queue'])
    if (!more) break
    if (cursors.has(nextCursor) || cursors.size >= longestFeed) return { do: 'stop', error: endless('change feed') }
    cursors.add(nextCursor)
    await yieldToOthers()
  }
  if (seen !== null) {
    const unseen = deps.mirror.snapshot((tx) => allBase(tx)).filter((row) => !seen.has(`${row.kind}/${row.remoteId}`))
    const confirmed = await confirmGone(deps, unseen)
    if (!confirmed.ok) return { do: 'stop', error: confirmed.error }
    deps.mirror.write((tx) => setMeta(tx, 'full-pull', null))
  }
  return { do: 'done' }
}

/** Whether a record is left alone now, because the outcome of a request about it is unknown. The look that settles it may not read it. */
function isHeld(tx: Tx, item: FeedItem, deps: EngineDeps): boolean {
  if (item.resource !== 'project' && item.resource !== 'environment' && item.resource !== 'variable') return false
  const isSending = (change: Change | null): boolean => change?.state === 'sending'
  const known = getBaseByRemote(tx, item.resource, item.id)
  if (known !== null) return changesOfRow(tx, known.id).some(isSending)
  const row = toRow(item, deps)
  const key = row && naturalKey(row.kind, row.fields)
  if (row === null || key === null) return false
  const parent = row.parentRemoteId === null ? null : getBaseByRemote(tx, parentKind[row.kind], row.parentRemoteId)
  return isSending(createClaiming(tx, row.kind, parent?.id ?? null, key))
}

function applyItem(tx: Tx, item: FeedItem, deps: EngineDeps): boolean {
  if (item.resource === 'version' || item.resource === 'member') return applyBeside(tx, item, deps)
  if (item.resource !== 'project' && item.resource !== 'environment' && item.resource !== 'variable') return false
  const context = applyContext(deps)
  if (item.record === null) {
    const row = getBaseByRemote(tx, item.resource, item.id)
    if (row === null) return false
    applyGone(tx, row, null, context)
    return true
  }
  const row = toRow(item, deps)
  return row !== null && applyUpsert(tx, row, parentOf(tx, row, deps), context)
}

function toRow(item: FeedItem, deps: EngineDeps): RemoteRow | null {
  if (item.resource === 'project' && item.record) return projectRow(item.record)
  if (item.resource === 'environment' && item.record) return environmentRow(item.record)
  if (item.resource === 'variable' && item.record) return variableRow(item.record, deps.cipher)
  return null
}

const parentKind: Record<RowKind, RowKind> = { variable: 'environment', environment: 'project', project: 'project' }

/**
 * The local id of a record's parent. The feed gives each record at its latest commit, so a child may
 * come before a parent that was touched later: then the parent gets its local id now and its fields when it comes.
 */
function parentOf(tx: Tx, row: RemoteRow, deps: EngineDeps): string | null {
  if (row.parentRemoteId === null) return null
  const kind = parentKind[row.kind]
  const known = getBaseByRemote(tx, kind, row.parentRemoteId)
  if (known !== null) return known.id
  const id = deps.newId()
  const unseen = { etag: null, createdAt: null, updatedAt: null, updatedBy: null, parentId: null, fields: {} }
  putBase(tx, { id, kind, remoteId: row.parentRemoteId, ...unseen })
  refreshRow(tx, id)
  return id
}
