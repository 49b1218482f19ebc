import { sentFields } from './fields.ts'
import { isChange, type BaseRow, type Change, type Entry, type Row } from './entry.ts'

/**
 * Returns a row as the user sees it: `base` with its unsent changes, in order. Null when the row does not exist or is deleted. An update
 * whose base row is missing still shows the typed fields, on the base of that update.
 */
export function replayRow(base: Row | null, changes: readonly Change[]): Row | null {
  let row = base
  for (const change of changes) {
    const { parent, ...patch } = sentFields(change.patch)
    if (change.kind === 'delete') row = null
    else if (row === null) {
      const { parent: _parent, ...was } = change.base ?? {}
      row = { id: change.rowId, kind: change.rowKind, parentId: change.ancestors[0] ?? null, fields: { ...was, ...patch } }
    } else row = { id: row.id, kind: row.kind, parentId: parent ?? row.parentId, fields: { ...row.fields, ...patch } }
  }
  return row && { id: row.id, kind: row.kind, parentId: row.parentId, fields: row.fields }
}

/**
 * Returns the whole working layer, computed from base and queue alone; the stored one must equal it. A row whose parent is missing is
 * missing too.
 */
export function replayAll(base: readonly BaseRow[], queue: readonly Entry[]): Map<string, Row> {
  const changesOf = Map.groupBy(
    queue.filter(isChange).toSorted((a, b) => a.seq - b.seq),
    (change) => change.rowId,
  )
  const bases = new Map(base.map((row) => [row.id, row]))
  const working = new Map<string, Row>()
  const ids = new Set([...bases.keys(), ...changesOf.keys()])
  const replayed = [...ids].map((id) => replayRow(bases.get(id) ?? null, changesOf.get(id) ?? []))
  for (const kind of ['project', 'environment', 'variable'] as const) {
    for (const row of replayed) {
      if (row?.kind === kind && (row.parentId === null || working.has(row.parentId))) working.set(row.id, row)
    }
  }
  return working
}
