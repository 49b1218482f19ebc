import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { AuditEntry } from '../protocol/records.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import type { Principal } from './keys.ts'
import { readPage, type Page, type PageQuery } from './page.ts'
import { Refusal } from './refusal.ts'
import { countOf, prepared, type Arg, type Db } from './store.ts'
import type { AuditTable, Tables } from './tables.ts'
import { bytesOf, weigher } from './weigh.ts'
import type { Write } from './write.ts'

/** An entry of the audit list. `detail` never holds the value of a variable. */
export interface AuditEvent {
  action: string
  resource: string
  resourceId: string
  detail?: Record<string, unknown>
}

const insert = prepared<Omit<AuditTable, 'workspace_id'>, unknown>((db, arg) =>
  db.insertInto('audit').values({
    workspace_id: arg('workspace'),
    id: arg('id'),
    at: arg('at'),
    actor: arg('actor'),
    key_name: arg('key_name'),
    action: arg('action'),
    resource: arg('resource'),
    resource_id: arg('resource_id'),
    detail: arg('detail'),
    request_id: arg('request_id'),
  }),
)

const rowsOf = (
  db: Db,
  who: Pick<Principal, 'email' | 'keyName'>,
  at: string,
  requestId: string,
  event: AuditEvent | AuditEvent[],
): AuditTable[] =>
  [event].flat().map((one) => ({
    workspace_id: db.workspaceId,
    id: uuid(),
    at,
    actor: who.email,
    key_name: who.keyName,
    action: one.action,
    resource: one.resource,
    resource_id: one.resourceId,
    detail: JSON.stringify(one.detail ?? {}),
    request_id: requestId,
  }))

/** Notes who read what. */
export const noteRead = async (
  db: Db,
  who: Pick<Principal, 'email' | 'keyName'>,
  at: string,
  requestId: string,
  event: AuditEvent | AuditEvent[],
): Promise<void> => {
  for (const row of rowsOf(db, who, at, requestId, event)) await insert(db, row)
}

/** Notes who did what, in the transaction that did it. */
export const noteAudit = (
  write: Write,
  who: Pick<Principal, 'email' | 'keyName'>,
  requestId: string,
  event: AuditEvent | AuditEvent[],
): void => void write.audit.push(...rowsOf(write, who, write.at, requestId, event))

const detailSchema = z.record(z.string(), z.unknown())

interface Before {
  before: string
  count: number
}
const entriesBefore = (db: Kysely<Tables>, arg: Arg<Before & { workspace: string }>) =>
  db
    .selectFrom('audit')
    .where('workspace_id', '=', arg('workspace'))
    .where('id', '<', arg('before'))
    .orderBy('id', 'desc')
    .limit(countOf(arg('count')))
const select = prepared<Before, AuditTable>((db, arg) => entriesBefore(db, arg).selectAll())
const sizes = weigher<Before>((db, arg) => entriesBefore(db, arg).select(bytesOf('detail').as('bytes')))

/** Above every id. */
const end = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The audit list, newest first. Throws a 400 Refusal for an invalid cursor. */
export const listAudit = async (db: Db, query: PageQuery): Promise<Page<AuditEntry>> => {
  if (query.cursor !== undefined && !/^[0-9a-f-]{36}$/.test(query.cursor)) {
    throw new Refusal(errorCodes.badRequest, 'This cursor isn’t from this list. Start again without it.')
  }
  const { rows, more } = await readPage(db, query.cursor ?? end, query.limit, (before, count) => select(db, { before, count }), {
    sum: (before, count) => sizes.sum(db, { before, count }),
    each: (before, count) => sizes.each(db, { before, count }),
  })
  const items = rows.map((row) => ({
    id: row.id,
    at: row.at,
    actor: row.actor,
    keyName: row.key_name,
    action: row.action,
    resource: row.resource,
    resourceId: row.resource_id,
    detail: detailSchema.parse(JSON.parse(row.detail)),
    requestId: row.request_id,
  }))
  return { items, nextCursor: more ? (items.at(-1)?.id ?? null) : null }
}
