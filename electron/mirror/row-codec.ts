import type { Insertable, Selectable } from 'kysely'
import {
  type Batch,
  isAct,
  type Act,
  type BaseRow,
  type Change,
  type Conflict,
  type Queued,
  type Row,
  type Sought,
  type WirePlace,
} from '../queue/entry.ts'
import type { Fields } from '../queue/fields.ts'
import { keysTouched } from '../queue/natural-key.ts'
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

export const toBaseColumns = (row: BaseRow): Insertable<BaseTable> => ({
  ...toColumns(row),
  remote_id: row.remoteId,
  etag: row.etag,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  updated_by: row.updatedBy,
})

export const fromBaseColumns = (columns: Selectable<BaseTable>): BaseRow => ({
  ...fromColumns(columns),
  remoteId: columns.remote_id,
  etag: columns.etag,
  createdAt: columns.created_at,
  updatedAt: columns.updated_at,
  updatedBy: columns.updated_by,
})

type Without<Each, Key extends keyof Each> = Each extends unknown ? Omit<Each, Key> : never
/** A change before the table has given it its `seq`. */
export type Unplaced = Without<Queued, 'seq'>

/** Columns of a change; `seq` is given by the table. */
export function toQueueColumns(queued: Unplaced): Omit<Selectable<QueueTable>, 'seq'> {
  const { now, before } = isRowChange(queued) ? keysTouched(queued) : { now: null, before: null }
  return {
    id: queued.id,
    kind: queued.kind,
    row_kind: queued.rowKind,
    row_id: queued.rowId,
    parent_id: queued.ancestors[0] ?? null,
    ancestors: JSON.stringify(queued.ancestors),
    after: isRowChange(queued) ? (queued.after ?? null) : null,
    sent_to: isRowChange(queued) && queued.sentTo ? JSON.stringify(queued.sentTo) : null,
    sought: isRowChange(queued) && queued.sought ? JSON.stringify(queued.sought) : null,
    batch: isRowChange(queued) && queued.batch ? JSON.stringify(queued.batch) : null,
    patch: JSON.stringify(isRowChange(queued) ? queued.patch : queued.detail),
    base: isRowChange(queued) && queued.base ? JSON.stringify(queued.base) : null,
    key_now: now,
    key_before: before,
    state: queued.state,
    attempts: queued.attempts,
    next_attempt_at: queued.nextAttemptAt,
    reason: queued.reason,
    conflict: queued.conflict && JSON.stringify(queued.conflict),
    created_at: queued.createdAt,
  }
}

const isRowChange = (queued: Unplaced): queued is Omit<Change, 'seq'> => !isAct(queued as Queued)

/** The change in those columns. The JSON is our own: what is wrong in it is a bug, and throws. */
export function fromQueueColumns(columns: Selectable<QueueTable>): Queued {
  const core = {
    seq: columns.seq,
    id: columns.id,
    rowId: columns.row_id,
    ancestors: JSON.parse(columns.ancestors) as string[],
    state: columns.state,
    attempts: columns.attempts,
    nextAttemptAt: columns.next_attempt_at,
    reason: columns.reason,
    conflict: columns.conflict === null ? null : (JSON.parse(columns.conflict) as Conflict),
    createdAt: columns.created_at,
  }
  const { kind, row_kind: rowKind } = columns
  if (rowKind === 'version' || rowKind === 'member') {
    // Kind and detail were written together, by `toQueueColumns`.
    return { ...core, kind, rowKind, detail: JSON.parse(columns.patch) as unknown } as Act
  }
  return {
    ...core,
    kind: kind as Change['kind'],
    rowKind,
    ...(columns.after === null ? {} : { after: columns.after }),
    ...(columns.sent_to === null ? {} : { sentTo: JSON.parse(columns.sent_to) as WirePlace }),
    ...(columns.sought === null ? {} : { sought: JSON.parse(columns.sought) as Sought }),
    ...(columns.batch === null ? {} : { batch: JSON.parse(columns.batch) as Batch }),
    patch: JSON.parse(columns.patch) as Fields,
    base: columns.base === null ? null : (JSON.parse(columns.base) as Fields),
  }
}
