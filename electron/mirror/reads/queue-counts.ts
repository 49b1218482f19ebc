import type { Mirror } from '../mirror.ts'

export interface QueueCounts {
  /** Unsent changes, all states. */
  queued: number
  /** Of those, in conflict or failed: they wait for the user. */
  attention: number
}

/** How many changes are unsent, and how many of them wait for the user. */
export async function queueCounts({ read }: Mirror): Promise<QueueCounts> {
  const counted = await read
    .selectFrom('queue')
    .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const sum = (rows: typeof counted) => rows.reduce((total, row) => total + row.n, 0)
  return { queued: sum(counted), attention: sum(counted.filter(({ state }) => state === 'conflict' || state === 'failed')) }
}
