import { replayAll } from '../../queue/replay.ts'
import { isAct, type Change, type Queued, type Row } from '../../queue/entry.ts'
import { changedFields, type Fields } from '../../queue/fields.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { allBase, deleteBase } from '../base-layer.ts'
import type { EnqueueContext } from '../enqueue.ts'
import { setMeta } from '../meta.ts'
import { newestRev } from '../past-layer.ts'
import { addChange, allChanges, dropChange, getQueued, putChange } from '../queue-layer.ts'
import { fromColumns, toColumns } from '../row-codec.ts'
import type { WorkingTable } from '../schema.ts'
import { build, type Tx } from '../tx.ts'
import type { RepairReport } from './repair-report.ts'
import type { SalvagedTable } from './salvage-tables.ts'

/** Puts columns into a table of the new database; false: its rules do not take them. */
export type Insert = (table: string, columns: SalvagedTable['rows'][number]) => boolean

const nothing: SalvagedTable = { rows: [], lost: [], unsure: true }
/** Where the last sync stood: what is missing is only found by reading everything again. */
const notCarried = new Set(['feed-cursor', 'full-pull'])
/** How many rows stand above one. */
const depth: Record<Queued['rowKind'], number> = { project: 0, environment: 1, variable: 2, version: 2, member: 0 }

const rowChanges = (tx: Tx): Change[] => allChanges(tx).filter((queued) => !isAct(queued))

/**
 * Fills a new, empty database with what was read out of a damaged one, the queue first, in the caller's transaction. An unsent change that
 * cannot be read is worked out from what the user saw, where that still can; such a change waits for the user's word. Whatever an unsent
 * change stands on and that is gone is made up, waiting too: the pull that follows finds the record and puts the two together.
 */
export function rebuildMirror(tx: Tx, insert: Insert, found: ReadonlyMap<string, SalvagedTable>, context: EnqueueContext): RepairReport {
  const table = (name: string): SalvagedTable => found.get(name) ?? nothing
  const queue = table('queue')
  const kept = insertQueue(tx, insert, queue.rows)
  const rows = table('base').rows.filter((row) => insert('base', row)).length
  const history = table('history').rows.filter((row) => insert('history', row)).length
  // What versions hold is read again from the service; that they are, and who is a member, is what snapshots and invitations refer to.
  for (const row of table('versions').rows) insert('versions', { ...row, is_mirrored: 0 })
  for (const name of ['members', 'roles', 'rollbacks', 'followed']) for (const row of table(name).rows) insert(name, row)
  parkUnknownActs(tx, found)
  for (const row of table('meta').rows) if (!notCarried.has(String(row['key']))) insert('meta', row)

  // Screens give back revisions of the database as it was: a new one must be newer than any row says.
  const newest = table('base').rows.reduce((most, row) => Math.max(most, Number(row['rev'] ?? 0)), newestRev(tx))
  setMeta(tx, 'rev', String(newest))

  const shown = new Map(table('working').rows.map((row) => [String(row['id']), fromColumns(row as unknown as WorkingTable)]))
  const forgotten = settleBaseless(tx, shown)
  const lostRows = new Set(queue.lost.flatMap(({ keys }) => (typeof keys['queue_row'] === 'string' ? [keys['queue_row']] : [])))
  const rebuilt = new Set<string>()
  const isWhole = queue.lost.length === 0 && !queue.unsure && kept === queue.rows.length
  if (!isWhole) {
    const among = queue.unsure || lostRows.size === 0 ? null : lostRows
    const isBaseWhole = table('base').lost.length === 0 && !table('base').unsure
    for (const id of rebuildFromShown(tx, shown, { among, isBaseWhole }, context)) rebuilt.add(id)
    if (!table('working').unsure) for (const id of rebuildDeletes(tx, shown, lostRows, context)) rebuilt.add(id)
  }
  makeUpPlaces(tx, shown, context)
  dropUnplaced(tx)
  const working = replayAll(allBase(tx), allChanges(tx))
  for (const row of working.values()) tx.run(build.insertInto('working').values(toColumns(row)))
  const lost = queue.lost.filter(({ keys }) => !rebuilt.has(String(keys['queue_row']))).length + (queue.rows.length - kept)
  return {
    unsent: { kept, rebuilt: rebuilt.size, lost, unsure: queue.unsure },
    forgotten,
    rows: { kept: rows, lost: table('base').lost.length },
    history,
  }
}

/** Inserts changes under their numbers, or under new ones where two images claim the same; gives how many the rules took. */
function insertQueue(tx: Tx, insert: Insert, rows: SalvagedTable['rows']): number {
  let kept = 0
  for (const row of rows) {
    if (!insert('queue', row) && !insert('queue', { ...row, seq: null })) continue
    const change = lastOf(tx, String(row['id']))
    if (change === null) continue
    if (!knownStates.has(change.state))
      putChange(tx, { ...change, ...waiting('Its state could not be read. Try again to send it, or discard it.') })
    kept += 1
  }
  return kept
}

const knownStates = new Set<string>(['queued', 'sending', 'blocked', 'conflict', 'failed'])

/** A change that reads as one; a row that does not is taken out again, and counts as lost. */
function lastOf(tx: Tx, id: string): Queued | null {
  try {
    const change = getQueued(tx, id)
    if (change !== null && change.ancestors.every((each) => typeof each === 'string')) return change
  } catch {
    // Not a change: its texts are no JSON.
  }
  dropChange(tx, id)
  return null
}

const waiting = (reason: string) => ({ state: 'failed' as const, reason, nextAttemptAt: null, conflict: null })

const guessed = 'The database was damaged, and this was worked out from what it showed. Try again to send it, or discard it.'
const baseLost = 'The database was damaged, and what the service had is not known here any more. Sync finds it, or try again to create it.'
const subjectLost = 'The database was damaged, and what this is about is not known here any more. Discard it, and ask for it again.'
const placeLost = 'The database was damaged, and unsent edits belong here. Sync finds it by its slug, or try again to create it.'

/** Unsent changes of records whose last state on the service is lost: an edit becomes a creation that the next pull meets; gives what cannot. */
function settleBaseless(tx: Tx, shown: ReadonlyMap<string, Row>): string[] {
  const base = new Set(allBase(tx).map((row) => row.id))
  const forgotten: string[] = []
  for (const changes of Map.groupBy(rowChanges(tx), (change) => change.rowId).values()) {
    const [first] = changes
    if (first === undefined || base.has(first.rowId) || first.kind === 'create') continue
    if (changes.at(-1)?.kind === 'delete') {
      forgotten.push(first.base?.name ?? first.patch.name ?? shown.get(first.rowId)?.fields.name ?? 'a record without a name')
      for (const change of changes) dropChange(tx, change.id)
      continue
    }
    const patch: Fields = { ...shown.get(first.rowId)?.fields, ...first.base, ...first.patch }
    // What waited for its user already goes on waiting when its record is found.
    const sought = soughtAs(first.rowKind, first.base, first.state === 'failed' ? null : first.base)
    putChange(tx, { ...first, ...waiting(baseLost), kind: 'create', patch, base: null, attempts: 0, ...sought })
  }
  return forgotten
}

/** Under what the server knows a record, so that a pull finds it whatever its user calls it meanwhile. `base`: what an edit of it goes on from. */
function soughtAs(rowKind: Change['rowKind'], known: Fields | null, base: Fields | null): Pick<Change, 'sought'> {
  const key = known && naturalKey(rowKind, known)
  return key === null ? {} : { sought: { key, base } }
}

/** What was asked about a version or a member that nobody knows any more waits for the user. */
function parkUnknownActs(tx: Tx, found: ReadonlyMap<string, SalvagedTable>): void {
  const idsOf = (name: string) => (found.get(name)?.rows ?? []).map((row) => row['id'])
  const known = new Set<unknown>([...idsOf('versions'), ...idsOf('members')])
  const acts = allChanges(tx).filter(isAct)
  for (const act of acts) if (act.kind === 'snapshot' || act.kind === 'invite') known.add(act.rowId)
  for (const act of acts) if (!known.has(act.rowId)) putChange(tx, { ...act, ...waiting(subjectLost) })
}

const newChange = (context: EnqueueContext, reason: string) => ({
  id: context.newId(),
  attempts: 0,
  createdAt: context.now,
  ...waiting(reason),
})

/**
 * Queues what the user saw and base and queue do not explain. `among`: only these rows, where it is known which ones are missing.
 * `isBaseWhole`: a row that is not there is not on the server under any name.
 */
function rebuildFromShown(
  tx: Tx,
  shown: ReadonlyMap<string, Row>,
  { among, isBaseWhole }: { among: ReadonlySet<string> | null; isBaseWhole: boolean },
  context: EnqueueContext,
): string[] {
  const base = new Map(allBase(tx).map((row) => [row.id, row]))
  const explained = replayAll([...base.values()], allChanges(tx))
  const queued = new Set(allChanges(tx).map((change) => change.rowId))
  const ancestorsOf = chains(tx, shown, context)
  const done: string[] = []
  for (const row of [...shown.values()].toSorted((a, b) => depth[a.kind] - depth[b.kind])) {
    if (among !== null && !among.has(row.id)) continue
    const now = explained.get(row.id)
    const isNew = now === undefined && !base.has(row.id) && !queued.has(row.id)
    const patch = now === undefined ? row.fields : changedFields(now.fields, row.fields)
    if ((now === undefined && !isNew) || Object.keys(patch).length === 0) continue
    const ancestors = ancestorsOf(row)
    const kind = isNew ? ('create' as const) : ('update' as const)
    const sought = isNew && !isBaseWhole ? soughtAs(row.kind, row.fields, null) : {}
    const change = { kind, rowKind: row.kind, rowId: row.id, ancestors, patch, base: now?.fields ?? null }
    addChange(tx, { ...newChange(context, guessed), ...change, ...sought })
    done.push(row.id)
  }
  return done
}

/** Queues deletions again: the queue had a change of the record, the service has it, and the user did not see it any more. */
function rebuildDeletes(tx: Tx, shown: ReadonlyMap<string, Row>, lostRows: ReadonlySet<string>, context: EnqueueContext): string[] {
  const base = new Map(allBase(tx).map((row) => [row.id, row]))
  const explained = replayAll([...base.values()], allChanges(tx))
  const ancestorsOf = chains(tx, shown, context)
  const done: string[] = []
  for (const id of lostRows) {
    const row = base.get(id)
    if (row === undefined || shown.has(id) || !explained.has(id)) continue
    const ancestors = ancestorsOf(row)
    addChange(tx, { ...newChange(context, guessed), kind: 'delete', rowKind: row.kind, rowId: id, ancestors, patch: {}, base: row.fields })
    done.push(id)
  }
  return done
}

/** Makes the places that unsent changes stand in and nobody knows any more, so that they are seen and can be moved or sent. */
function makeUpPlaces(tx: Tx, shown: ReadonlyMap<string, Row>, context: EnqueueContext): void {
  const changes = allChanges(tx)
  const created = changes.filter((change) => change.kind === 'create').map((change) => change.rowId)
  const known = new Set([...allBase(tx).map((row) => row.id), ...created])
  for (const change of changes) {
    for (const [at, id] of change.ancestors.entries()) {
      if (known.has(id)) continue
      known.add(id)
      const rowKind = depth[change.rowKind] - at === 2 ? ('environment' as const) : ('project' as const)
      const number = id.replace(/[^a-z0-9]/g, '').slice(-8)
      const seen = shown.get(id)?.fields ?? null
      const fields = seen ?? { name: `Recovered ${rowKind}`, slug: `recovered-${number}` }
      const ancestors = change.ancestors.slice(at + 1)
      const place = { kind: 'create' as const, rowKind, rowId: id, ancestors, patch: fields, base: null, ...soughtAs(rowKind, seen, seen) }
      addChange(tx, { ...newChange(context, placeLost), ...place })
    }
  }
}

/** Records below a place that is not known any more come again with it. */
function dropUnplaced(tx: Tx): void {
  const places = new Set([...allBase(tx), ...allChanges(tx).map(({ rowId }) => ({ id: rowId }))].map(({ id }) => id))
  const queued = new Set(allChanges(tx).map((change) => change.rowId))
  for (const row of allBase(tx).toSorted((a, b) => depth[a.kind] - depth[b.kind])) {
    if (row.parentId === null || places.has(row.parentId) || queued.has(row.id)) continue
    places.delete(row.id)
    deleteBase(tx, row.id)
  }
}

/** Gives the local ids above a row, nearest first: as shown, as in base, as other changes have it; a project that nobody knows gets an id. */
function chains(tx: Tx, shown: ReadonlyMap<string, Row>, context: EnqueueContext): (row: Row) => string[] {
  const parents = new Map([...shown.values()].map((row) => [row.id, row.parentId]))
  for (const row of allBase(tx)) parents.set(row.id, row.parentId)
  for (const { rowId, ancestors } of allChanges(tx)) {
    for (const [at, id] of [rowId, ...ancestors].entries()) if (at < ancestors.length) parents.set(id, ancestors[at] ?? null)
  }
  return (row) => {
    const ancestors: string[] = []
    for (let id = row.parentId; id !== null && ancestors.length < depth[row.kind]; id = parents.get(id) ?? null) ancestors.push(id)
    while (ancestors.length < depth[row.kind]) {
      const above = context.newId()
      const last = ancestors.at(-1)
      if (last !== undefined) parents.set(last, above)
      ancestors.push(above)
    }
    return ancestors
  }
}
