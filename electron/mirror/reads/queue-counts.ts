import { waitsFor } from '../../sync/plan/waits-for.ts'
import type { EntryState } from '../../queue/entry.ts'
import type { Mirror } from '../mirror.ts'
import { isNotQueued } from '../queue-layer.ts'
import { readOutlines } from './queue-outlines.ts'

export interface QueueCounts {
  /** Unsent changes, all states. */
  queued: number
  /** How many of them the user has to decide on: conflicts, rejected changes, and blocked changes that others wait for. */
  attention: number
}

/** Counts the unsent changes, and those that wait for the user. Changes that wait for those are not counted as waiting for the user. */
export async function queueCounts(mirror: Mirror): Promise<QueueCounts> {
  const queue = mirror.read.selectFrom('queue')
  const all = await queue.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  const counted = await queue
    .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
    .where(isNotQueued)
    .groupBy('state')
    .execute()
  const count = (...states: EntryState[]) => counted.reduce((total, { state, n }) => total + (states.includes(state) ? n : 0), 0)
  const isWaiting = counted.reduce((left, { n }) => left - n, all.n) > 0
  const holders = isWaiting && count('blocked') > 0 ? [...waitsFor(await mirror.lasting(readOutlines)).values()] : []
  const blocking = new Set(holders.flatMap(({ entry }) => (entry.state === 'blocked' ? [entry.id] : [])))
  return { queued: all.n, attention: count('conflict', 'failed') + blocking.size }
}
