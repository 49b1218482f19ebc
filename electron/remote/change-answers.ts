import { z } from 'zod'
import type { ChangeInput } from '../../service/protocol/changes.ts'
import type { Answer } from './client.ts'
import { readRecord, rollbackCounts } from './records.ts'
import type { ChangeAnswer } from './remote.ts'

const item = z.object({
  id: z.string(),
  status: z.string(),
  record: z.unknown().optional(),
  counts: z.unknown().optional(),
  missing: z.enum(['record', 'parent']).nullable().catch(null),
  code: z.unknown().optional(),
  message: z.unknown().optional(),
})

/** The data of an answer to changes, before its items are read. */
export const changeItems = z.object({ items: z.array(item) })

/**
 * Returns the answers to `sent`, in the same order; null if the items do not match the changes one to one. If an item claims success but
 * its record or counts cannot be read, the answer is `failed` with an unknown outcome.
 */
export function readChangeAnswers(
  sent: readonly ChangeInput[],
  items: z.infer<typeof changeItems>['items'],
  itemError: Answer<unknown>['itemError'],
): ChangeAnswer[] | null {
  if (items.length !== sent.length || items.some(({ id }, index) => id !== sent[index]?.id)) return null
  return sent.flatMap((change, index) => {
    const answer = items[index]
    return answer === undefined ? [] : [answerTo(change, answer, itemError)]
  })
}

function answerTo(change: ChangeInput, answer: z.infer<typeof item>, itemError: Answer<unknown>['itemError']): ChangeAnswer {
  const isDone = answer.status === 'done'
  // Only a failed item may carry another record than the changed one: the record that has the name.
  const record = readRecord(change.resource, isDone ? change.id : null, answer.record)
  if (!isDone) return { status: 'failed', error: itemError(answer), missing: answer.missing, record }
  const counts = change.op === 'rollback' ? rollbackCounts.safeParse(answer.counts) : null
  const isRead = change.op === 'delete' || record !== null
  return isRead && counts?.success !== false
    ? { status: 'done', record, counts: counts?.data ?? null }
    : { status: 'failed', error: itemError({}), missing: null, record: null }
}
