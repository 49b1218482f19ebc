import { z } from 'zod'
import type { FeedItem, FeedPage } from '../remote.ts'
import { idField } from './fields.ts'
import { isRecordResource, readRecord } from './remote-record.ts'

const rawItem = z.object({ resource: z.string(), id: idField, deleted: z.boolean(), record: z.unknown().optional() })

/** One page of the change feed. Items of kinds that this client does not know are left out. */
export const feedPage: z.ZodType<FeedPage> = z.object({
  items: z.array(rawItem).transform((items, context) =>
    items.flatMap(({ resource, id, deleted, record }, index): FeedItem[] => {
      if (!isRecordResource(resource)) return []
      if (deleted) return [{ resource, id, record: null }]
      const read = readRecord(resource, id, record)
      if (read !== null) return [{ id, ...read }]
      context.addIssue({ code: 'custom', message: 'The record cannot be read.', path: [index, 'record'] })
      return []
    }),
  ),
  nextCursor: z.string().min(1),
  more: z.boolean(),
})
