import { z } from 'zod'

/**
 * The schemas of what services send. Extra fields are ignored. An optional field of a wrong type counts as missing. A field that the
 * service never returned is `undefined`: it is unknown, and is never merged.
 */

/**
 * The limit for any text that is not a value. Ids, slugs and names are parts of URLs, and no server takes a URL this long. A service could
 * fill the screen and the memory with longer texts.
 */
const text = z.string().max(100_000)

/** The cursor of each page is kept, to notice a list that leads in a circle. */
const cursor = z.string().max(4096)

const id = text.min(1)

const optionalText = text.optional().catch(undefined)

/** ISO 8601; any other text would break the code that formats it. */
const date = text.refine((at) => !Number.isNaN(Date.parse(at)))

const optionalDate = date.optional().catch(undefined)

const count = z.int().min(0)

/** A strong entity tag (RFC 9110 section 8.8.3) of visible ASCII, so that it can go back as If-Match. */
const strong = /^"[\x21\x23-\x7e]*"$/

/**
 * An ETag as the header spells it, quotes included, or undefined. A weak ETag (`W/"…"`, which compressing proxies make) does not count:
 * If-Match compares strongly, so a write with a weak ETag could never succeed.
 */
export const readEtag = (header: string | null): string | undefined => (header !== null && strong.test(header) ? header : undefined)

/** What records carry about their last change, where the service says so. */
const tracked = {
  createdAt: optionalDate,
  updatedAt: optionalDate,
  updatedBy: optionalText,
  etag: text.regex(strong).optional().catch(undefined),
}

export const workspaceRecord = z.object({ id, name: text, slug: optionalText, icon: optionalText })
export type RemoteWorkspace = z.infer<typeof workspaceRecord>

export const projectRecord = z.object({ id, name: text, slug: text, icon: optionalText, ...tracked })
export type RemoteProject = z.infer<typeof projectRecord>

export const environmentRecord = z.object({ id, name: text, slug: text, projectId: id, ...tracked })
export type RemoteEnvironment = z.infer<typeof environmentRecord>

/** `value` is sealed (`v1:`), or plaintext where the service sends plaintext. */
export const variableRecord = z.object({
  id,
  name: text,
  value: z.string(),
  environmentId: id,
  type: z.enum(['string', 'number', 'boolean']).optional().catch(undefined),
  isSecret: z.boolean().optional().catch(undefined),
  ...tracked,
})
export type RemoteVariable = z.infer<typeof variableRecord>

const snapshot = z.array(z.object({ name: text, value: z.string() }))

/**
 * The most variables of a version that comes with other records: such a version is decrypted and written in one go. A larger one can be
 * compared offline, and restored from this computer, only if it is among the newest of its environment or has been opened.
 */
const mostInPage = 500

/**
 * A version from a list, from the feed, or from the answer that created it. If it has too many variables, they are left out here and read
 * later by the version's id, in slices. `updatedBy`: who saved the version.
 */
export const versionRecord = z.object({
  id,
  label: text,
  note: text,
  variableCount: count,
  environmentId: id,
  createdAt: date,
  updatedBy: optionalText,
  variables: snapshot.max(mostInPage).optional().catch(undefined),
})
export type RemoteVersion = z.infer<typeof versionRecord>

/** The single read (operation 11), which is of no use without its variables. */
export const versionWithVariables = versionRecord.extend({ variables: snapshot })

export const memberRecord = z.object({ id, email: text, status: text, roleId: text, ...tracked })
export type RemoteMember = z.infer<typeof memberRecord>

/** The specification names only the id of a role. What the role allows is a text of the service. */
export const roleRecord = z
  .object({ id, name: text.optional().catch(undefined), permissions: z.array(z.string()).catch([]) })
  .transform((role) => ({ id: role.id, name: role.name ?? role.id, permissions: role.permissions }))
export type RemoteRole = z.infer<typeof roleRecord>

/** A deleted project or environment that can be restored; the counts say how much is below it. */
export const deletedRecord = z.object({
  id,
  resource: z.enum(['project', 'environment']),
  name: text,
  slug: text,
  parentId: text.nullable(),
  deletedAt: text,
  deletedBy: text,
  environmentCount: count,
  variableCount: count,
  versionCount: count,
})
export type RemoteDeleted = z.infer<typeof deletedRecord>

export const deletedVariables = z.object({ deleted: z.array(z.object({ id, name: text })), notFound: z.array(text) })

/** What a rollback changed. */
export const rollbackCounts = z.object({ added: count, updated: count, removed: count })

/** One page of a list; `nextCursor` null at its end. */
export interface RemotePage<T> {
  items: T[]
  nextCursor: string | null
}

/**
 * The schema of a list: `{items, nextCursor}`, or a bare array, which is the whole list. One record that cannot be read makes the page
 * invalid: if the record were left out, it would look deleted. A cursor of a wrong type does too: if it were ignored, the records of all
 * further pages would look deleted.
 */
export const pageOf = <T>(record: z.ZodType<T>): z.ZodType<RemotePage<T>> =>
  z.preprocess(
    (data) => (Array.isArray(data) ? { items: data as unknown[] } : data),
    z.object({
      items: z.array(record),
      nextCursor: cursor.nullish().transform((next) => next || null),
    }),
  )

/** The records that a full service shows in its feed and reads by their ids. */
const records = {
  project: projectRecord,
  environment: environmentRecord,
  variable: variableRecord,
  version: versionRecord,
  member: memberRecord,
}

export type RemoteRecords = { [R in keyof typeof records]: z.infer<(typeof records)[R]> }

export type RecordResource = keyof RemoteRecords

/** A record with its kind. */
export type RemoteRecord = { [R in RecordResource]: { resource: R; record: RemoteRecords[R] } }[RecordResource]

const isRecordResource = (resource: string): resource is RecordResource => Object.hasOwn(records, resource)

/** Reads a record of this kind, and of this id unless `id` is null. Returns null if the record cannot be read. */
export function readRecord(resource: RecordResource, wantedId: string | null, data: unknown): RemoteRecord | null {
  const parsed = records[resource].safeParse(data)
  return parsed.success && (wantedId === null || parsed.data.id === wantedId) ? ({ resource, record: parsed.data } as RemoteRecord) : null
}

/** One entry of the change feed, in commit order. `record` null: it was deleted. */
export type FeedItem = { [R in RecordResource]: { resource: R; id: string; record: RemoteRecords[R] | null } }[RecordResource]

const rawItem = z.object({ resource: text, id, deleted: z.boolean(), record: z.unknown().optional() })

/**
 * One page of the change feed. Items of kinds that this client does not know are left out. `nextCursor` says where to go on, also on the
 * last page; `more` is false when it has reached the newest commit. `workspaceName`, `permissions` of the API key, and the `memberId` of
 * the key's member: undefined where the page doesn't say.
 */
export const feedPage = z
  .object({
    history: z.string().optional().catch(undefined),
    items: z.array(rawItem),
    nextCursor: cursor.min(1),
    more: z.boolean(),
    permissions: z.array(z.string()).optional().catch(undefined),
    memberId: id.optional().catch(undefined),
  })
  .transform(({ history, items, nextCursor, more, permissions, memberId }, context) => ({
    history,
    items: items.flatMap((item, index): FeedItem[] => {
      if (!isRecordResource(item.resource)) return []
      if (item.deleted) return [{ resource: item.resource, id: item.id, record: null }]
      const read = readRecord(item.resource, item.id, item.record)
      if (read !== null) return [{ id: item.id, ...read }]
      context.addIssue({ code: 'custom', message: 'The record cannot be read.', path: ['items', index, 'record'] })
      return []
    }),
    nextCursor,
    more,
    workspaceName: workspaceName(items),
    permissions,
    memberId,
  }))
export type FeedPage = z.infer<typeof feedPage>

const workspaceName = (items: readonly z.infer<typeof rawItem>[]): string | undefined =>
  workspaceRecord.safeParse(items.findLast(({ resource }) => resource === 'workspace')?.record).data?.name
