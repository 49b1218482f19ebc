import { isDeepStrictEqual } from 'node:util'
import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import {
  isOperation,
  type BaseRow,
  type Change,
  type Entry,
  type Operation,
  type Row,
  type UnplacedEntry,
  type Without,
} from '../queue/entry.ts'
import type { Fields } from '../queue/fields.ts'
import { claimsOf } from '../queue/natural-key.ts'
import { changedColumns } from './changed-columns.ts'
import { nameKey } from './name-key.ts'
import type { BaseTable, QueueTable, RowColumns, WorkingTable } from './schema.ts'

/** Returns the columns that a row has in base and working. */
function toColumns(row: Row): RowColumns {
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

export const toWorkingColumns = (row: Row): Selectable<WorkingTable> => ({
  ...toColumns(row),
  name_key: row.fields.name === undefined ? '' : nameKey(row.fields.name),
})

/** Not the id of any key: a value that lost its key id to damage equals no other value. */
const noKey = ''

/** Returns the row of these columns. A null column is an unknown field, and left out. */
export function fromColumns(columns: RowColumns): Row {
  const fields: Fields = {}
  if (columns.name !== null) fields.name = columns.name
  if (columns.slug !== null) fields.slug = columns.slug
  if (columns.sealed !== null) fields.value = { sealed: columns.sealed, tag: columns.tag, keyId: columns.key_id ?? noKey }
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

/** Returns the columns that an event changes even when the content of the request stays the same. */
const lifeColumns = (entry: UnplacedEntry) => ({
  id: entry.id,
  state: entry.state,
  attempts: entry.attempts,
  next_attempt_at: entry.nextAttemptAt,
  reason: entry.reason,
  conflict: entry.conflict && JSON.stringify(entry.conflict),
})

/** Returns the columns of an entry. The table assigns `seq`. */
export function toQueueColumns(entry: UnplacedEntry): Omit<Selectable<QueueTable>, 'seq'> {
  const core = {
    ...lifeColumns(entry),
    row_id: entry.rowId,
    parent_id: entry.ancestors[0] ?? null,
    ancestors: JSON.stringify(entry.ancestors),
    created_at: entry.createdAt,
  }
  if (isUnplacedOperation(entry)) {
    const empty = { remote_id: null, leaves: '[]', seen: null, base: null, key_now: null, key_before: null }
    return { ...core, ...empty, kind: entry.kind, row_kind: entry.rowKind, patch: JSON.stringify(entry.detail) }
  }
  const { takes, frees } = claimsOf(entry)
  return {
    ...core,
    kind: entry.kind,
    row_kind: entry.rowKind,
    remote_id: entry.remoteId,
    leaves: JSON.stringify(entry.leaves),
    seen: entry.seen,
    patch: JSON.stringify(entry.patch),
    base: entry.base && JSON.stringify(entry.base),
    key_now: takes?.key ?? null,
    key_before: frees?.key ?? null,
  }
}

const isUnplacedOperation = (entry: UnplacedEntry): entry is Without<Operation, 'seq'> => isOperation({ ...entry, seq: 0 })

const ids = z.array(z.string())
const sealed = z.object({ sealed: z.string(), tag: z.string().nullable(), keyId: z.string(), reseal: z.literal(true).exactOptional() })
const fields = z.object({
  parent: z.string().optional(),
  name: z.string().optional(),
  slug: z.string().optional(),
  value: sealed.optional(),
  type: z.enum(['string', 'number', 'boolean']).optional(),
  isSecret: z.boolean().optional(),
}) satisfies z.ZodType<Fields>
const conflict = z.object({
  kind: z.enum(['fields', 'deleted-remotely', 'changed-remotely', 'name-taken', 'changed-below', 'stale-rollback']),
  remote: fields.nullable(),
  by: z.string().nullable(),
  remoteId: z.string().exactOptional(),
})
const counts = z.object({ added: z.number(), updated: z.number(), removed: z.number() })
const preview = z.object({ counts, resealed: z.number(), fingerprint: z.string() })
const role = { email: z.string(), roleId: z.string(), remote: z.string().exactOptional() }
const onVersion = { rowKind: z.literal('version'), ancestors: z.tuple([z.string()], z.string()) }
const onMember = { rowKind: z.literal('member'), ancestors: ids }
const operation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('snapshot'),
    ...onVersion,
    detail: z.object({ label: z.string().optional(), note: z.string().optional(), remoteId: z.string() }),
  }),
  z.object({
    kind: z.literal('rollback'),
    ...onVersion,
    detail: z.object({ label: z.string(), agreed: preview, offered: preview.exactOptional(), said: counts.exactOptional() }),
  }),
  z.object({ kind: z.literal('invite'), ...onMember, detail: z.object(role) }),
  z.object({ kind: z.literal('set-role'), ...onMember, detail: z.object({ ...role, base: z.string() }) }),
  z.object({ kind: z.literal('remove'), ...onMember, detail: z.object({ email: z.string() }) }),
])
const changeKind = z.enum(['create', 'update', 'delete'])

/** Returns the entry of these columns. Throws if their JSON is invalid, because of a bug or damage. */
export function fromQueueColumns(columns: Selectable<QueueTable>): Entry {
  const core = {
    seq: columns.seq,
    id: columns.id,
    rowId: columns.row_id,
    state: columns.state,
    attempts: columns.attempts,
    nextAttemptAt: columns.next_attempt_at,
    reason: columns.reason,
    conflict: columns.conflict === null ? null : conflict.parse(JSON.parse(columns.conflict)),
    createdAt: columns.created_at,
  }
  const { kind, row_kind: rowKind } = columns
  const ancestors: unknown = JSON.parse(columns.ancestors)
  if (rowKind === 'version' || rowKind === 'member') {
    const detail: unknown = JSON.parse(columns.patch)
    return { ...core, ...operation.parse({ kind, rowKind, ancestors, detail }) }
  }
  return {
    ...core,
    kind: changeKind.parse(kind) satisfies Change['kind'],
    rowKind,
    ancestors: ids.parse(ancestors),
    remoteId: columns.remote_id,
    leaves: ids.parse(JSON.parse(columns.leaves)),
    seen: columns.seen,
    patch: parseFields(columns.patch),
    base: columns.base === null ? null : parseFields(columns.base),
  }
}

/** Returns the columns in which an entry differs from what it was. Content that stayed the same is not serialized: it may have megabytes. */
export function changedQueueColumns(before: Entry, after: Entry): Partial<ReturnType<typeof toQueueColumns>> {
  const { id, state, attempts, nextAttemptAt, reason, conflict } = after
  const isSameContent = isDeepStrictEqual({ ...before, id, state, attempts, nextAttemptAt, reason, conflict }, after)
  const columnsOf: (entry: Entry) => Partial<ReturnType<typeof toQueueColumns>> = isSameContent ? lifeColumns : toQueueColumns
  return changedColumns(columnsOf(before), columnsOf(after))
}

export const parseFields = (json: string): Fields => fields.parse(JSON.parse(json))
