import { z } from 'zod'
import type { Answer } from '../client.ts'
import { variableRecord } from '../records/variable-record.ts'
import type { BulkAnswer } from '../remote.ts'

const bulkItem = z.object({
  name: z.string(),
  status: z.string(),
  record: z.unknown().optional(),
  code: z.unknown().optional(),
  message: z.unknown().optional(),
})

/** The data of a bulk upsert as it comes, item by item unread. */
export const bulkItems = z.object({ items: z.array(bulkItem) })

/**
 * The answers to the variables named `sent`, in that order; null when they are not exactly those.
 * An item that claims success with a record that cannot be read is `failed` with an unknown outcome.
 */
export function readBulkAnswers(
  sent: readonly string[],
  items: z.infer<typeof bulkItems>['items'],
  itemError: Answer<unknown>['itemError'],
): BulkAnswer[] | null {
  if (items.length !== sent.length || items.some((item, index) => item.name !== sent[index])) return null
  return items.map((item) => {
    const status = succeeded.safeParse(item.status)
    const record = variableRecord.safeParse(item.record)
    if (status.success && record.success) return { name: item.name, status: status.data, record: record.data }
    return { name: item.name, status: 'failed', error: itemError(status.success ? {} : item) }
  })
}

const succeeded = z.enum(['created', 'updated', 'unchanged'])
