import type { BaseRow, Change } from '../../queue/entry.ts'

/** A row as the subject of a look, as a change of it would be. `ancestors`: local ids above it, nearest first. */
export const aLook = (row: BaseRow, ancestors: readonly string[]): Change => ({
  seq: 0,
  id: '',
  kind: 'update',
  rowKind: row.kind,
  rowId: row.id,
  ancestors,
  patch: {},
  base: row.fields,
  state: 'queued',
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  conflict: null,
  createdAt: 0,
})
