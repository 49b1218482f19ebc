import type { BaseRow, RowKind } from '../queue/entry.ts'
import { naturalKey } from '../queue/natural-key.ts'
import { allBase, getBaseByRemote } from './base-layer.ts'
import {
  allTracked,
  dropTracked,
  findTracked,
  getTracked,
  noParent,
  putTracked,
  trackedChildren,
  trackedOfRow,
  type Tracked,
} from './tracked-layer.ts'
import { build, type Tx } from './tx.ts'

const order = { project: 0, environment: 1, variable: 2 }
const topDown = <T extends { kind: keyof typeof order }>(rows: readonly T[]): T[] => rows.toSorted((a, b) => order[a.kind] - order[b.kind])

/**
 * Links tracked names and base rows. A renamed row renames its tracked name. A tracked name without a row is linked to the row of that
 * name. Every other base row becomes tracked.
 */
export function linkTracked(tx: Tx, newId: () => string): void {
  const rows = topDown(allBase(tx))
  takeNewKeys(tx, new Map(rows.map((row) => [row.id, row])))
  const rowIds = new Set(rows.map((row) => row.id))
  /**
   * Tracked id by local id. `loose` has the tracked names without a row, and `held` the places of those with one, by parent, kind and key.
   */
  const ofRow = new Map<string, string>([[noParent, noParent]])
  const loose = new Map<string, Tracked>()
  const held = new Set<string>()
  for (const entry of allTracked(tx)) {
    const where = `${entry.parent_id} ${entry.kind} ${entry.key}`
    if (entry.row_id === null || !rowIds.has(entry.row_id)) loose.set(where, entry)
    else {
      ofRow.set(entry.row_id, entry.id)
      held.add(where)
    }
  }
  for (const row of rows) {
    const key = naturalKey(row.kind, row.fields)
    const parentId = ofRow.get(row.parentId ?? noParent)
    // Skip a row that is linked already, and a placeholder or a row below one: the names are not known yet.
    if (ofRow.has(row.id) || key === null || parentId === undefined) continue
    const where = `${parentId} ${row.kind} ${key}`
    // Two rows have this name, so one of them was renamed. Once sync reads that one, the name is free for this row.
    if (held.has(where)) continue
    held.add(where)
    const id = loose.get(where)?.id ?? newId()
    putTracked(tx, { id, kind: row.kind, parent_id: parentId, key, row_id: row.id, state: 'there' })
    ofRow.set(row.id, id)
  }
}

/** Updates the tracked names of renamed rows. Deletes all old names before it writes new ones, because two rows may have swapped names. */
function takeNewKeys(tx: Tx, rows: ReadonlyMap<string, BaseRow>): void {
  const renamed = allTracked(tx).flatMap((entry) => {
    const row = entry.row_id === null ? undefined : rows.get(entry.row_id)
    const key = row === undefined ? null : naturalKey(row.kind, row.fields)
    return key === null || key === entry.key ? [] : [{ ...entry, key }]
  })
  for (const { id } of renamed) tx.run(build.deleteFrom('followed').where('id', '=', id))
  for (const entry of renamed) {
    const other = findTracked(tx, entry.parent_id, entry.kind, entry.key)
    if (other !== null) dropTracked(tx, other.id)
    putTracked(tx, entry)
  }
}

/** Returns the tracked names of this kind below a row; null: the projects. */
export function trackedBelow(tx: Tx, kind: RowKind, parentId: string | null): { id: string; key: string }[] {
  const trackedParent = parentId === null ? noParent : trackedOfRow(tx, parentId)?.id
  if (trackedParent === undefined) return []
  return trackedChildren(tx, trackedParent).flatMap((tracked) => (tracked.kind === kind ? [{ id: tracked.id, key: tracked.key }] : []))
}

/** The service's answer for a tracked name. `remoteId`: of the record, if there is one. */
export interface TrackedAnswer {
  id: string
  state: Tracked['state']
  remoteId: string | null
}

/**
 * Stores the answer for a tracked name, and links its row. Names below a missing one become missing too. Returns whether that changed
 * anything.
 */
export function writeTracked(tx: Tx, { id, state, remoteId }: TrackedAnswer): boolean {
  const tracked = getTracked(tx, id)
  if (tracked === null) return false
  const row_id = (remoteId === null ? null : getBaseByRemote(tx, tracked.kind, remoteId)?.id) ?? tracked.row_id
  if (tracked.state === state && tracked.row_id === row_id) return false
  putTracked(tx, { ...tracked, state, row_id })
  if (state === 'missing') missDescendants(tx, id)
  return true
}

function missDescendants(tx: Tx, parentId: string): void {
  for (const tracked of trackedChildren(tx, parentId)) {
    putTracked(tx, { ...tracked, state: 'missing' })
    missDescendants(tx, tracked.id)
  }
}
