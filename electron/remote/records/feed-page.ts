import { z } from 'zod'
import type { FeedItem, FeedPage } from '../remote.ts'
import { environmentRecord } from './environment-record.ts'
import { idField } from './fields.ts'
import { memberRecord } from './member-record.ts'
import { projectRecord } from './project-record.ts'
import { variableRecord } from './variable-record.ts'
import { versionRecord } from './version-record.ts'
import { workspaceRecord } from './workspace-record.ts'

const records = {
  workspace: workspaceRecord,
  project: projectRecord,
  environment: environmentRecord,
  variable: variableRecord,
  version: versionRecord,
  member: memberRecord,
} satisfies Record<FeedItem['resource'], z.ZodType>

const rawItem = z.object({ resource: z.string(), id: idField, deleted: z.boolean(), record: z.unknown().optional() })

/** One page of the change feed. Items of kinds that this client does not know are left out. */
export const feedPage: z.ZodType<FeedPage> = z.object({
  items: z.array(rawItem).transform((items, context) =>
    items.flatMap((item, index): FeedItem[] => {
      if (!Object.hasOwn(records, item.resource)) return []
      const resource = item.resource as FeedItem['resource']
      if (item.deleted) return [{ resource, id: item.id, record: null }]
      const parsed = records[resource].safeParse(item.record)
      if (parsed.success && parsed.data.id === item.id) return [{ resource, id: item.id, record: parsed.data } as FeedItem]
      context.addIssue({ code: 'custom', message: 'The record cannot be read.', path: [index, 'record'] })
      return []
    }),
  ),
  nextCursor: z.string().min(1),
  more: z.boolean(),
})
