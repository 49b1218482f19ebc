import { waitsFor } from '../../sync/plan/waits-for.ts'
import type { Mirror } from '../mirror.ts'
import { allEntries } from '../queue-layer.ts'

export interface QueueCounts {
  /** Unsent changes, all states. */
  queued: number
  /** How many of them the user has to decide on: conflicts, rejected ones, and blocked ones that others wait for. */
  attention: number
}

/** How many changes are unsent, and how many of them wait for the user: what only waits for those is not counted. */
export async function queueCounts(mirror: Mirror): Promise<QueueCounts> {
  const counted = await mirror.read
    .selectFrom('queue')
    .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const count = (...states: string[]) => counted.reduce((total, { state, n }) => total + (states.includes(state) ? n : 0), 0)
  const mayWait = count('queued') > 0 && count('blocked') > 0
  const holders = mayWait ? [...waitsFor(mirror.snapshot(allEntries)).values()].map(({ entry }) => entry) : []
  const blocking = new Set(holders.flatMap(({ state, id }) => (state === 'blocked' ? [id] : [])))
  return { queued: counted.reduce((total, { n }) => total + n, 0), attention: count('conflict', 'failed') + blocking.size }
}
