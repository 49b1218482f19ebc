import { waitsFor } from '../../sync/plan/waits-for.ts'
import type { Mirror } from '../mirror.ts'
import { allEntries } from '../queue-layer.ts'

export interface QueueCounts {
  /** Unsent changes, all states. */
  queued: number
  /** How many of them are parked, or wait for a parked one: they need the user's decision. */
  attention: number
}

/** How many changes are unsent, and how many of them wait for the user. */
export async function queueCounts(mirror: Mirror): Promise<QueueCounts> {
  const counted = await mirror.read
    .selectFrom('queue')
    .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const count = (...states: string[]) => counted.reduce((total, { state, n }) => total + (states.includes(state) ? n : 0), 0)
  const mayWait = count('queued') > 0 && count('blocked', 'conflict', 'failed') > 0
  const waiting = mayWait ? [...waitsFor(mirror.snapshot(allEntries)).values()].filter(({ needsAttention }) => needsAttention).length : 0
  return { queued: counted.reduce((total, { n }) => total + n, 0), attention: count('conflict', 'failed') + waiting }
}
