import { z } from 'zod'
import { bulkLimit } from './limits.ts'
import * as records from './records.ts'
import * as requests from './requests.ts'

/** Schemas of `POST /changes`: items that are applied in order, each answered alone. */

/** The id that a client makes for a new record. */
const newId = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'An id is a UUID in lower case.')
  .meta({ description: 'A UUID in lower case, made by the client. A repeat finds the record it made.' })
const id = requests.segment
const ifMatch = requests.etag.meta({ description: 'The ETag that the record must still have, or "*". 412 when it was changed.' }).optional()
const seen = z
  .string()
  .max(512)
  .meta({ description: 'A cursor of the change feed. 412 when anything at or below the record changed after it.' })
  .optional()

const created = {
  project: z.strictObject({ op: z.literal('create'), resource: z.literal('project'), id: newId, fields: requests.projectCreate }),
  environment: z.strictObject({
    op: z.literal('create'),
    resource: z.literal('environment'),
    id: newId,
    parentId: id,
    fields: requests.environmentCreate,
  }),
  variable: z.strictObject({
    op: z.literal('create'),
    resource: z.literal('variable'),
    id: newId,
    parentId: id,
    fields: requests.variableCreate,
  }),
  version: z.strictObject({
    op: z.literal('create'),
    resource: z.literal('version'),
    id: newId,
    parentId: id,
    fields: requests.versionCreate,
  }),
  member: z.strictObject({ op: z.literal('create'), resource: z.literal('member'), id: newId, fields: requests.memberInvite }),
}
const updated = {
  project: z.strictObject({ op: z.literal('update'), resource: z.literal('project'), id, ifMatch, fields: requests.projectPatch }),
  environment: z.strictObject({
    op: z.literal('update'),
    resource: z.literal('environment'),
    id,
    ifMatch,
    fields: requests.environmentPatch,
  }),
  variable: z.strictObject({
    op: z.literal('update'),
    resource: z.literal('variable'),
    id,
    ifMatch,
    fields: requests.variablePatch.extend({ parentId: id.meta({ description: 'The environment to move to.' }).optional() }),
  }),
  member: z.strictObject({ op: z.literal('update'), resource: z.literal('member'), id, ifMatch, fields: requests.memberPatch }),
}
const deleted = {
  project: z.strictObject({ op: z.literal('delete'), resource: z.literal('project'), id, ifMatch, seen }),
  environment: z.strictObject({ op: z.literal('delete'), resource: z.literal('environment'), id, ifMatch, seen }),
  variable: z.strictObject({ op: z.literal('delete'), resource: z.literal('variable'), id, ifMatch }),
  member: z.strictObject({ op: z.literal('delete'), resource: z.literal('member'), id, ifMatch }),
}
const rolledBack = z.strictObject({ op: z.literal('rollback'), resource: z.literal('version'), id, seen })

/** Every kind of item, for descriptions. */
export const changeKinds: readonly z.ZodType[] = [
  ...Object.values(created),
  ...Object.values(updated),
  ...Object.values(deleted),
  rolledBack,
]

/** One item of `POST /changes`. */
export const change = z.discriminatedUnion('op', [
  z.discriminatedUnion('resource', [created.project, created.environment, created.variable, created.version, created.member]),
  z.discriminatedUnion('resource', [updated.project, updated.environment, updated.variable, updated.member]),
  z.discriminatedUnion('resource', [deleted.project, deleted.environment, deleted.variable, deleted.member]),
  rolledBack,
])
export type Change = z.output<typeof change>
/** An item as a client writes it. */
export type ChangeInput = z.input<typeof change>

/** The frame of an item: each is judged alone by `change`, and needs an id to be answered under. */
export const changeFrame = z.looseObject({ id: z.string().max(4096) })
/** The body of `POST /changes`. */
export const changesBody = <T extends z.ZodType>(item: T) => z.strictObject({ changes: z.array(item).min(1).max(bulkLimit) })

const anyRecord = z.union([
  records.projectRecord,
  records.environmentRecord,
  records.variableRecord,
  records.versionRecord,
  records.memberRecord,
])
/** A record as the feed shows it; which one follows from the item that is answered. */
export type AnyRecord = z.infer<typeof anyRecord>

export const changeAnswer = z.discriminatedUnion('status', [
  z.strictObject({
    id: z.string(),
    status: z.literal('done'),
    record: anyRecord.nullable(),
    counts: z.strictObject({ added: z.int(), updated: z.int(), removed: z.int() }).optional(),
  }),
  z.strictObject({
    id: z.string(),
    status: z.literal('failed'),
    code: z.int(),
    message: z.string(),
    missing: z.enum(['record', 'parent']).optional(),
    record: anyRecord.nullable().optional(),
  }),
])
export type ChangeAnswer = z.infer<typeof changeAnswer>
export const changesAnswer = z.strictObject({ items: z.array(changeAnswer) })

/** What `GET /records/{resource}/{id}` reads. */
export const recordResource = z.enum(['project', 'environment', 'variable', 'version', 'member'])
export type RecordResource = z.infer<typeof recordResource>
export const recordParams = z.object({ resource: recordResource, id })
export const recordAnswer = anyRecord
