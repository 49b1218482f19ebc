import { z } from 'zod'
import * as changes from '../protocol/changes.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { rolePermissions } from '../protocol/roles.ts'
import { reading, writing } from '../http/endpoint.ts'
import { sentence } from '../http/error-answer.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { applyChanges } from '../store/apply-changes.ts'
import type { Item } from '../store/apply-changes.ts'
import { listAudit } from '../store/audit.ts'
import { readChanges } from '../store/changes.ts'
import { listDeleted, restoreDeleted } from '../store/deleted.ts'
import { restored } from '../store/events.ts'
import { findRecord } from '../store/find-record.ts'
import { notFound, Refusal } from '../store/refusal.ts'

/** The items as the documentation shows them. The route checks each item by itself, later. */
const describedItem = changes.changeFrame.meta({ anyOf: changes.changeKinds.map((kind) => z.toJSONSchema(kind, { io: 'input' })) })

/** The item, or a 422 Refusal that names the problem. */
export const parseItem = (item: z.output<typeof changes.changeFrame>): Item => {
  const { data, error } = changes.change.safeParse(item)
  if (data !== undefined) return { id: item.id, change: data }
  const [issue] = error.issues
  const where = issue === undefined || issue.code === 'custom' || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return {
    id: item.id,
    change: new Refusal(errorCodes.unprocessable, sentence(`${where}${issue?.message ?? 'The item is not acceptable'}`)),
  }
}

/** The ids and names that the items touch, when they change only variables and free no name; else null. */
const touchedBy = (items: readonly z.output<typeof changes.changeFrame>[]): string[] | null => {
  const touched: string[] = []
  for (const { id, op, resource, parentId, fields } of items) {
    if (resource !== 'variable' || typeof fields !== 'object' || fields === null) return null
    const name = 'name' in fields ? fields.name : null
    if (op === 'create' && typeof parentId === 'string' && typeof name === 'string') touched.push(id, `${parentId} ${name}`)
    else if (op === 'update' && name === null && !('parentId' in fields)) touched.push(id)
    else return null
  }
  return touched
}

/** Of an item that was not applied. */
const fullAnswer = {
  code: errorCodes.unavailable,
  message: 'The values of the items before this one fill the answer. Send this one again.',
}

export const changeEndpoints: readonly Endpoint[] = [
  reading({
    path: '/changes',
    summary: 'The change feed: records and tombstones in commit order',
    may: 'read',
    query: requests.pageQuery,
    data: records.feedPage,
    handle: async (db, { query, principal }) => ({
      data: { ...(await readChanges(db, query)), permissions: rolePermissions[principal.roleId], memberId: principal.memberId },
    }),
  }),
  writing({
    method: 'POST',
    path: '/changes',
    summary: 'Apply 1 to 200 changes in order, each answered alone',
    // Each item needs a right of its own.
    may: 'read',
    changesMembers: true,
    body: changes.changesBody(describedItem),
    message: 'Changes saved.',
    data: changes.changesAnswer,
    touches: ({ body }) => touchedBy(body.changes),
    takesIfMatch: false,
    handle: async (write, { body, principal }) => {
      const { answers, events } = await applyChanges(write, principal, body.changes.map(parseItem))
      const rest = body.changes.slice(answers.length).map(({ id }) => ({ id, status: 'failed', ...fullAnswer }))
      return { data: { items: [...answers, ...rest] }, audit: events }
    },
  }),
  reading({
    path: '/records/{resource}/{id}',
    summary: 'Read a record by its id, as the feed shows it',
    may: 'read',
    params: changes.recordParams,
    data: changes.recordAnswer,
    handle: async (db, { params }) => {
      const found = await findRecord(db, params.resource, params.id)
      if (found === null) throw notFound(`There is no ${params.resource} with this id.`)
      return { data: found.record, seq: found.seq }
    },
  }),
  reading({
    path: '/deleted',
    summary: 'List projects and environments deleted in the last 30 days, last deleted first',
    may: 'read',
    query: requests.pageQuery,
    data: records.page(records.deletedRecord),
    handle: async (db, { query }) => ({ data: await listDeleted(db, query) }),
  }),
  writing({
    method: 'POST',
    path: '/deleted/{id}/restore',
    summary: 'Restore a deleted project or environment with everything that was in it',
    // A project needs `projects.delete`.
    may: 'environments.delete',
    params: requests.idParams,
    body: requests.restore,
    message: 'Restored.',
    data: z.union([records.projectRecord, records.environmentRecord]),
    takesIfMatch: false,
    handle: async (write, { params, body, principal }) => {
      const done = await restoreDeleted(write, principal.roleId, params.id, body.slug)
      return { data: done.record, seq: done.seq, audit: restored(done) }
    },
  }),
  reading({
    path: '/audit',
    summary: 'Who did what and when, newest first',
    may: 'audit.read',
    query: requests.pageQuery,
    data: records.page(records.auditEntry),
    handle: async (db, { query }) => ({ data: await listAudit(db, query) }),
  }),
]
