import type { Selectable } from 'kysely'
import type { BaseRow, Change, Conflict, Row, WirePlace } from '../sync/change.ts'
import type { Fields } from '../sync/fields.ts'
import { keysTouched } from '../sync/names.ts'
import type { BaseTable, QueueTable, WorkingTable } from './schema.ts'

/** Columns of a row, as either layer stores them. */
export function toColumns(row: Row): WorkingTable {
  const { name, slug, value, type, isSecret } = row.fields
  return {
    id: row.id,
    kind: row.kind,
    parent_id: row.parentId,
    name: name ?? null,
    slug: slug ?? null,
    sealed: value?.sealed ?? null,
    tag: value?.tag ?? null,
    key_id: value?.keyId ?? null,
    type: type ?? null,
    is_secret: isSecret === undefined ? null : Number(isSecret),
  }
}

/** The row in those columns; a null column is an unknown field, and absent. */
export function fromColumns(columns: WorkingTable): Row {
  const fields: Fields = {}
  if (columns.name !== null) fields.name = columns.name
  if (columns.slug !== null) fields.slug = columns.slug
  if (columns.sealed !== null) fields.value = { sealed: columns.sealed, tag: columns.tag, keyId: columns.key_id ?? '' }
  if (columns.type !== null) fields.type = columns.type
  if (columns.is_secret !== null) fields.isSecret = columns.is_secret === 1
  return { id: columns.id, kind: columns.kind, parentId: columns.parent_id, fields }
}

export const toBaseColumns = (row: BaseRow): BaseTable => ({
  ...toColumns(row),
  remote_id: row.remoteId,
  etag: row.etag,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  updated_by: row.updatedBy,
})

export const fromBaseColumns = (columns: BaseTable): BaseRow => ({
  ...fromColumns(columns),
  remoteId: columns.remote_id,
  etag: columns.etag,
  createdAt: columns.created_at,
  updatedAt: columns.updated_at,
  updatedBy: columns.updated_by,
})

/** Columns of a change; `seq` is given by the table. */
export function toQueueColumns(change: Omit<Change, 'seq'>): Omit<Selectable<QueueTable>, 'seq'> {
  const { now, before } = keysTouched(change)
  return {
    id: change.id,
    kind: change.kind,
    row_kind: change.rowKind,
    row_id: change.rowId,
    parent_id: change.ancestors[0] ?? null,
    ancestors: JSON.stringify(change.ancestors),
    after: change.after ?? null,
    sent_to: change.sentTo == null ? null : JSON.stringify(change.sentTo),
    patch: JSON.stringify(change.patch),
    base: change.base && JSON.stringify(change.base),
    key_now: now,
    key_before: before,
    state: change.state,
    attempts: change.attempts,
    next_attempt_at: change.nextAttemptAt,
    reason: change.reason,
    conflict: change.conflict && JSON.stringify(change.conflict),
    created_at: change.createdAt,
  }
}

/** The change in those columns. The JSON is our own: what is wrong in it is a bug, and throws. */
export const fromQueueColumns = (columns: Selectable<QueueTable>): Change => ({
  seq: columns.seq,
  id: columns.id,
  kind: columns.kind,
  rowKind: columns.row_kind,
  rowId: columns.row_id,
  ancestors: JSON.parse(columns.ancestors) as string[],
  ...(columns.after === null ? {} : { after: columns.after }),
  ...(columns.sent_to === null ? {} : { sentTo: JSON.parse(columns.sent_to) as WirePlace }),
  patch: JSON.parse(columns.patch) as Fields,
  base: columns.base === null ? null : (JSON.parse(columns.base) as Fields),
  state: columns.state,
  attempts: columns.attempts,
  nextAttemptAt: columns.next_attempt_at,
  reason: columns.reason,
  conflict: columns.conflict === null ? null : (JSON.parse(columns.conflict) as Conflict),
  createdAt: columns.created_at,
})
