import type { Selectable } from 'kysely'
import { ancestorsFrom } from '../../queue/ancestors.ts'
import { isChange, isOperation, type Change, type Entry, type Row } from '../../queue/entry.ts'
import { changedFields, mergeableOf, type Fields } from '../../queue/fields.ts'
import { replayAll } from '../../queue/replay.ts'
import { allBase, deleteBase } from '../base-layer.ts'
import type { EnqueueContext } from '../enqueue.ts'
import { setState } from '../workspace-state.ts'
import { newestRev } from '../past-layer.ts'
import { addEntry, advance, allEntries, forgetEntry, type NewEntry } from '../queue-layer.ts'
import { fromColumns, fromQueueColumns, toWorkingColumns } from '../row-codec.ts'
import type { QueueTable, RowColumns } from '../schema.ts'
import { build, type Tx } from '../tx.ts'
import type { RepairReport } from './repair-report.ts'
import type { DamagedTable } from './read-damaged-tables.ts'

/** Inserts a row into a table of the new database; false: a constraint of the table rejects it. */
export type Insert = (table: string, columns: DamagedTable['rows'][number]) => boolean

const nothing: DamagedTable = { rows: [], lost: [], unsure: true }
/** How many ancestors a row has. */
const depth: Record<Entry['rowKind'], number> = { project: 0, environment: 1, variable: 2, version: 2, member: 0 }

const rowChanges = (tx: Tx): Change[] => allEntries(tx).filter(isChange)

/**
 * Fills a new, empty database with the rows read from a damaged one, the queue first, in the caller's transaction. An unreadable unsent
 * change is reconstructed from the rows that the user saw, where possible. Everything reconstructed is parked: nothing of it is sent before
 * the user has checked it.
 */
export function rebuildMirror(tx: Tx, insert: Insert, found: ReadonlyMap<string, DamagedTable>, context: EnqueueContext): RepairReport {
  const table = (name: string): DamagedTable => found.get(name) ?? nothing
  const queue = table('queue')
  const kept = insertQueue(tx, insert, queue.rows)
  const rows = table('base').rows.filter((row) => insert('base', row)).length
  const history = table('history').rows.filter((row) => insert('history', row)).length
  // The contents of versions are read again from the service. The versions and members themselves are kept, because snapshots and
  // invitations refer to them.
  for (const row of table('versions').rows) insert('versions', { rev: 0, ...row, is_mirrored: 0 })
  for (const name of ['members', 'roles', 'rollbacks', 'followed', 'superseded', 'deleted', 'deleted_versions'])
    for (const row of table(name).rows) insert(name, row)
  parkUnknownOperations(tx, found)
  // Without the position of the last sync, the next one reads everything again and finds missing rows.
  for (const row of table('meta').rows) if (row['key'] !== 'feed-cursor') insert('meta', row)

  // Screens and unsent deletions still have revisions of the old database: new revisions must be higher than any of those.
  const revisions = [
    ...['base', 'versions'].flatMap((name) => table(name).rows.map((row) => row['rev'])),
    ...table('queue').rows.map((row) => row['seen']),
  ]
  setState(tx, 'rev', String(revisions.reduce<number>((most, rev) => Math.max(most, Number(rev ?? 0)), newestRev(tx))))

  const shown = new Map(table('working').rows.map((row) => [String(row['id']), fromColumns(row as unknown as RowColumns)]))
  const unknownDeletions = parkBaseless(tx, shown, context)
  const lostRows = new Set(queue.lost.flatMap(({ keys }) => (typeof keys['queue_row'] === 'string' ? [keys['queue_row']] : [])))
  const rebuilt = new Set<string>()
  const isWhole = queue.lost.length === 0 && !queue.unsure && kept === queue.rows.length
  if (!isWhole) {
    const among = queue.unsure || lostRows.size === 0 ? null : lostRows
    for (const id of rebuildFromShown(tx, shown, among, context)) rebuilt.add(id)
    if (!table('working').unsure) for (const id of rebuildDeletes(tx, shown, lostRows, context)) rebuilt.add(id)
  }
  recreateParents(tx, shown, context)
  dropOrphans(tx)
  const working = replayAll(allBase(tx), allEntries(tx))
  for (const row of working.values()) tx.run(build.insertInto('working').values(toWorkingColumns(row)))
  const lost = queue.lost.filter(({ keys }) => !rebuilt.has(String(keys['queue_row']))).length + (queue.rows.length - kept)
  return {
    unsent: { kept, rebuilt: rebuilt.size, lost, unsure: queue.unsure },
    unknownDeletions,
    rows: { kept: rows, lost: table('base').lost.length },
    history,
  }
}

/** Inserts entries with their `seq`, or with a new one if two entries have the same. Returns how many entries the constraints accepted. */
function insertQueue(tx: Tx, insert: Insert, rows: DamagedTable['rows']): number {
  const readable = rows.map(readableEntry).filter((row) => row !== null)
  return readable.filter((row) => insert('queue', row) || insert('queue', { ...row, seq: null })).length
}

type DamagedRow = DamagedTable['rows'][number]

const knownStates = new Set<unknown>(['queued', 'sending', 'blocked', 'conflict', 'failed'])

/** Returns the columns of an entry, including columns that newer schemas added. Null: they are not a valid entry. */
function readableEntry(row: DamagedRow): DamagedRow | null {
  const state = knownStates.has(row['state']) ? {} : { state: 'failed', conflict: null, reason: recovered }
  const made = row['kind'] === 'create' ? { remote_id: row['remote_id'] ?? row['id'] ?? null } : {}
  const columns: DamagedRow = { leaves: '[]', seen: null, remote_id: null, ...row, ...made, ...state }
  const unasked = { ...columns, state: 'failed', conflict: null, reason: recovered }
  return [columns, unasked].find(readsAsEntry) ?? null
}

function readsAsEntry(columns: DamagedRow): boolean {
  try {
    fromQueueColumns(columns as unknown as Selectable<QueueTable>)
    return true
  } catch {
    return false
  }
}

/** The reason of all reconstructed entries. */
const recovered = 'Recovered from a damaged database: check it, then send it.'
const subjectLost = 'The database was damaged, and the record that this applies to is missing. Discard it, then try again.'

const addParked = (tx: Tx, entry: NewEntry): void => void advance(tx, addEntry(tx, entry), { is: 'reject', reason: recovered })

/** The name, and slug, of a row until the user gives it another one. */
function recoveredFields({ rowKind, rowId }: Pick<Change, 'rowKind' | 'rowId'>): Fields {
  const number = rowId.replace(/[^a-z0-9]/g, '').slice(-8)
  if (rowKind === 'variable') return { name: `RECOVERED_${number.toUpperCase()}` }
  return { name: `Recovered ${rowKind}`, slug: `recovered-${number}` }
}

/** Turns unsent changes of rows without base into parked creates. Returns the names of deletions that can't be kept. */
function parkBaseless(tx: Tx, shown: ReadonlyMap<string, Row>, context: EnqueueContext): string[] {
  const base = new Set(allBase(tx).map((row) => row.id))
  const unknownDeletions: string[] = []
  for (const changes of Map.groupBy(rowChanges(tx), (change) => change.rowId).values()) {
    const [first] = changes
    if (first === undefined || base.has(first.rowId) || first.kind === 'create') continue
    if (changes.at(-1)?.kind === 'delete') {
      unknownDeletions.push(first.base?.name ?? first.patch.name ?? shown.get(first.rowId)?.fields.name ?? 'a record without a name')
      for (const change of changes) forgetEntry(tx, change)
      continue
    }
    // The row always gets a name: without one it could neither be sent nor deleted.
    const known = { ...recoveredFields(first), ...first.conflict?.remote, ...shown.get(first.rowId)?.fields, ...first.base }
    const { parent: _parent, ...patch }: Fields = { ...known, ...first.patch }
    const made = { id: context.newId(), remoteId: context.newId(), patch, base: null, conflict: null, reason: null }
    const create = advance(tx, first, { is: 'recreate', ...made })
    if (create !== null) advance(tx, create, { is: 'reject', reason: recovered })
  }
  return unknownDeletions
}

/** Parks operations on a version or member that is now missing. */
function parkUnknownOperations(tx: Tx, found: ReadonlyMap<string, DamagedTable>): void {
  const idsOf = (name: string) => (found.get(name)?.rows ?? []).map((row) => row['id'])
  const known = new Set<unknown>([...idsOf('versions'), ...idsOf('members')])
  const operations = allEntries(tx).filter(isOperation)
  for (const each of operations) if (each.kind === 'snapshot' || each.kind === 'invite') known.add(each.rowId)
  for (const each of operations) if (!known.has(each.rowId)) advance(tx, each, { is: 'reject', reason: subjectLost })
}

const newChange = (context: EnqueueContext, kind: Change['kind']) => ({
  kind,
  id: context.newId(),
  remoteId: kind === 'create' ? context.newId() : null,
  leaves: [],
  seen: null,
  createdAt: context.now,
})

/**
 * Queues the differences between the rows that the user saw and the rows that base and queue explain. `among`: only these rows; null: it is
 * unknown which rows lost a change.
 */
function rebuildFromShown(tx: Tx, shown: ReadonlyMap<string, Row>, among: ReadonlySet<string> | null, context: EnqueueContext): string[] {
  const base = new Map(allBase(tx).map((row) => [row.id, row]))
  const explained = replayAll([...base.values()], allEntries(tx))
  const queued = new Set(allEntries(tx).map((change) => change.rowId))
  const ancestorsOf = chains(tx, shown, context)
  const done: string[] = []
  for (const row of [...shown.values()].toSorted((a, b) => depth[a.kind] - depth[b.kind])) {
    if (among !== null && !among.has(row.id)) continue
    const now = explained.get(row.id)
    const isNew = now === undefined && !base.has(row.id) && !queued.has(row.id)
    const moved = now === undefined || now.parentId === row.parentId || row.parentId === null ? {} : { parent: row.parentId }
    const patch: Fields = now === undefined ? row.fields : { ...changedFields(now.fields, row.fields), ...moved }
    if ((now === undefined && !isNew) || Object.keys(patch).length === 0) continue
    const ancestors = ancestorsOf(row)
    const kind = isNew ? ('create' as const) : ('update' as const)
    const leaves = now !== undefined && patch.parent !== undefined ? ancestorsOf(now) : []
    const was = now === undefined ? null : patch.parent === undefined ? now.fields : mergeableOf(now)
    addParked(tx, { ...newChange(context, kind), rowKind: row.kind, rowId: row.id, ancestors, patch, base: was, leaves })
    done.push(row.id)
  }
  return done
}

/** Queues lost deletions again. A deletion was lost if the queue had a change of a row that base has and the user no longer saw. */
function rebuildDeletes(tx: Tx, shown: ReadonlyMap<string, Row>, lostRows: ReadonlySet<string>, context: EnqueueContext): string[] {
  const base = new Map(allBase(tx).map((row) => [row.id, row]))
  const explained = replayAll([...base.values()], allEntries(tx))
  const ancestorsOf = chains(tx, shown, context)
  const done: string[] = []
  for (const id of lostRows) {
    const row = base.get(id)
    if (row === undefined || shown.has(id) || !explained.has(id)) continue
    const ancestors = ancestorsOf(row)
    // It is unknown which state of a project or environment the user had seen, so 0: every remote change in it needs a decision.
    const seen = row.kind === 'variable' ? null : 0
    addParked(tx, { ...newChange(context, 'delete'), rowKind: row.kind, rowId: id, ancestors, patch: {}, base: row.fields, seen })
    done.push(id)
  }
  return done
}

/** Creates the missing parents of unsent changes, so that the changes are visible and can be moved or sent. */
function recreateParents(tx: Tx, shown: ReadonlyMap<string, Row>, context: EnqueueContext): void {
  const changes = allEntries(tx)
  const created = changes.filter((change) => change.kind === 'create').map((change) => change.rowId)
  const known = new Set([...allBase(tx).map((row) => row.id), ...created])
  for (const change of changes) {
    for (const [at, id] of change.ancestors.entries()) {
      if (known.has(id)) continue
      known.add(id)
      const rowKind = depth[change.rowKind] - at === 2 ? ('environment' as const) : ('project' as const)
      const fields = shown.get(id)?.fields ?? recoveredFields({ rowKind, rowId: id })
      const ancestors = change.ancestors.slice(at + 1)
      addParked(tx, { ...newChange(context, 'create'), rowKind, rowId: id, ancestors, patch: fields, base: null })
    }
  }
}

/** Removes rows whose parent is unknown. A sync that shows the parent brings them back. */
function dropOrphans(tx: Tx): void {
  const base = allBase(tx)
  const queued = new Set(allEntries(tx).map(({ rowId }) => rowId))
  const places = new Set([...base.map(({ id }) => id), ...queued])
  for (const row of base.toSorted((a, b) => depth[a.kind] - depth[b.kind])) {
    if (row.parentId === null || places.has(row.parentId) || queued.has(row.id)) continue
    places.delete(row.id)
    deleteBase(tx, row.id)
  }
}

/**
 * Returns the local ids of a row's ancestors, nearest first, from the queue, else from base, else as shown. An unknown ancestor gets a new
 * id.
 */
function chains(tx: Tx, shown: ReadonlyMap<string, Row>, context: EnqueueContext): (row: Row) => string[] {
  const parents = new Map([...shown.values()].map((row) => [row.id, row.parentId]))
  for (const row of allBase(tx)) parents.set(row.id, row.parentId)
  for (const { rowId, ancestors } of allEntries(tx)) {
    for (const [at, id] of [rowId, ...ancestors].entries()) if (at < ancestors.length) parents.set(id, ancestors[at] ?? null)
  }
  return (row) => {
    const ancestors = ancestorsFrom(row.parentId, (id) => parents.get(id), depth[row.kind])
    while (ancestors.length < depth[row.kind]) {
      const newParent = context.newId()
      const last = ancestors.at(-1)
      if (last !== undefined) parents.set(last, newParent)
      ancestors.push(newParent)
    }
    return ancestors
  }
}
