import { waitsFor } from '../../sync/plan/waits-for.ts'
import type { Mirror } from '../mirror.ts'
import { allEntries } from '../queue-layer.ts'

export interface QueueCounts {
  /** Unsent changes, all states. */
  queued: number
  /** How many of them the user has to decide on: conflicts, rejected changes, and blocked changes that others wait for. */
  attention: number
}

/** Counts the unsent changes, and those that wait for the user. Changes that wait for those are not counted as waiting for the user. */
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
