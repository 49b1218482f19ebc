import { z } from 'zod'
import { permissions, roleIds } from './roles.ts'
import { variableType } from './requests.ts'

/** Schemas of everything an answer carries. The documented 14 operations have exactly their documented fields. */

const timestamp = z.iso.datetime()

/** Fields that our service adds to the documented ones: `etag` is the header's text, quotes included. */
const tracked = { updatedAt: timestamp, updatedBy: z.string(), etag: z.string() }

/** Operation 1. */
export const workspace = z.strictObject({ id: z.string(), name: z.string(), slug: z.string(), icon: z.string(), createdAt: timestamp })
export const workspaceRecord = workspace.extend(tracked)

/** Operation 2. */
export const project = z.strictObject({ id: z.string(), name: z.string(), slug: z.string(), icon: z.string(), createdAt: timestamp })
export const projectRecord = project.extend(tracked)
/** Operation 3. */
export const projectDeleted = z.strictObject({ id: z.string(), name: z.string(), slug: z.string() })

const environmentCore = { id: z.string(), name: z.string(), slug: z.string(), projectId: z.string() }
/** Operations 4 and 5. */
export const environment = z.strictObject({ ...environmentCore, createdAt: timestamp })
/** Operation 6. */
export const environmentUpdated = z.strictObject({ ...environmentCore, updatedAt: timestamp })
export const environmentRecord = environment.extend(tracked)
export const environmentDeleted = z.strictObject({ id: z.string(), name: z.string(), slug: z.string() })

/** Operation 7. */
export const variable = z.strictObject({
  id: z.string(),
  name: z.string(),
  value: z.string(),
  environmentId: z.string(),
  updatedAt: timestamp,
  createdAt: timestamp,
})
/** Operation 8. */
export const variableDeleted = z.strictObject({ id: z.string(), name: z.string(), environmentId: z.string() })
/** Operation 9. */
export const variablesDeleted = z.strictObject({
  deleted: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  count: z.int(),
  notFound: z.array(z.string()),
})
/** Operation 10. */
export const variableUpdated = variable.extend({ type: variableType })
export const variableRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  value: z.string(),
  type: variableType,
  isSecret: z.boolean(),
  environmentId: z.string(),
  createdAt: timestamp,
  ...tracked,
})

const versionCore = {
  id: z.string(),
  label: z.string(),
  note: z.string(),
  variableCount: z.int(),
  environmentId: z.string(),
  createdAt: timestamp,
}
/** Operation 11. `nextCursor` is set when the request asked for a page of the variables. */
export const version = z.strictObject({
  ...versionCore,
  variables: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  nextCursor: z.string().nullable().optional(),
})
/** A version in lists and in the feed, without its variables. */
export const versionRecord = z.strictObject({ ...versionCore, ...tracked })
/** Operation 12. */
export const rolledBack = z.strictObject({ versionLabel: z.string(), added: z.int(), updated: z.int(), removed: z.int() })

const memberStatus = z.enum(['invited', 'active'])
/** Operation 13. */
export const memberInvited = z.strictObject({ id: z.string(), email: z.string(), status: memberStatus, roleId: z.enum(roleIds) })
export const memberRecord = memberInvited.extend({ createdAt: timestamp, ...tracked })
/** Operation 14. */
export const memberRemoved = z.strictObject({ id: z.string() })

export const role = z.strictObject({
  id: z.enum(roleIds),
  name: z.string(),
  system: z.boolean(),
  permissions: z.array(z.enum(permissions)),
})

const change = <R extends string, T extends z.ZodType>(resource: R, record: T) =>
  z.strictObject({ resource: z.literal(resource), id: z.string(), deleted: z.boolean(), record: record.nullable() })

/** One entry of the change feed: a record as it is now, or a tombstone with `record` null. */
export const feedItem = z.discriminatedUnion('resource', [
  change('workspace', workspaceRecord),
  change('project', projectRecord),
  change('environment', environmentRecord),
  change('variable', variableRecord),
  change('version', versionRecord),
  change('member', memberRecord),
])
/**
 * `history`: another one after each restore from a backup. `permissions` and `memberId`: of the API key that asked, and of its member.
 */
export const feedPage = z.strictObject({
  history: z.string(),
  items: z.array(feedItem),
  nextCursor: z.string(),
  more: z.boolean(),
  permissions: z.array(z.enum(permissions)),
  memberId: z.string(),
})

/** A deleted project or environment that can be restored; the counts say how much is below it. */
export const deletedRecord = z.strictObject({
  id: z.string(),
  resource: z.enum(['project', 'environment']),
  name: z.string(),
  slug: z.string(),
  parentId: z.string().nullable(),
  deletedAt: timestamp,
  deletedBy: z.string(),
  environmentCount: z.int(),
  variableCount: z.int(),
  versionCount: z.int(),
})

export const auditEntry = z.strictObject({
  id: z.string(),
  at: timestamp,
  actor: z.string(),
  keyName: z.string(),
  action: z.string(),
  resource: z.string(),
  resourceId: z.string(),
  detail: z.record(z.string(), z.unknown()),
  requestId: z.string(),
})

export const health = z.strictObject({ status: z.literal('ok') })

/** A page of a list; `nextCursor` is null at its end. */
export const page = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() })

export type WorkspaceRecord = z.infer<typeof workspaceRecord>
export type ProjectRecord = z.infer<typeof projectRecord>
export type EnvironmentRecord = z.infer<typeof environmentRecord>
export type VariableRecord = z.infer<typeof variableRecord>
export type VersionRecord = z.infer<typeof versionRecord>
export type MemberRecord = z.infer<typeof memberRecord>
export type DeletedRecord = z.infer<typeof deletedRecord>
export type AuditEntry = z.infer<typeof auditEntry>
export type FeedItem = z.infer<typeof feedItem>
