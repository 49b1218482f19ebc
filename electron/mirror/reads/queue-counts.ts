import { waitsFor } from '../../sync/plan/waits-for.ts'
import type { EntryState } from '../../queue/entry.ts'
import type { Mirror } from '../mirror.ts'
import { readOutlines } from './queue-outlines.ts'
import { takeTurns } from './take-turns.ts'

export interface QueueCounts {
  /** Unsent changes, all states. */
  queued: number
  /** How many of them the user has to decide on: conflicts, rejected changes, and blocked changes that others wait for. */
  attention: number
}

/** Counts the unsent changes, and those that wait for the user. Changes that wait for those are not counted as waiting for the user. */
export async function queueCounts(mirror: Mirror): Promise<QueueCounts> {
  const counts = await countStates(mirror)
  const count = (...states: EntryState[]) => states.reduce((total, state) => total + (counts.get(state) ?? 0), 0)
  const mayWait = count('queued') > 0 && count('blocked') > 0
  const holders = mayWait ? [...waitsFor(await mirror.lasting(readOutlines)).values()].map(({ entry }) => entry) : []
  const blocking = new Set(holders.flatMap(({ state, id }) => (state === 'blocked' ? [id] : [])))
  return { queued: count(...counts.keys()), attention: count('conflict', 'failed') + blocking.size }
}

/** SQLite reads through the values of an entry to get to its state: this many small entries take less than a millisecond. */
const slice = 256

async function countStates({ read }: Mirror): Promise<ReadonlyMap<EntryState, number>> {
  const counts = new Map<EntryState, number>()
  const turn = takeTurns()
  let after = 0
  for (;;) {
    const page = read.selectFrom('queue').select(['seq', 'state']).where('seq', '>', after).orderBy('seq').limit(slice)
    const counted = await read
      .selectFrom(page.as('page'))
      .select(({ fn }) => ['state', fn.countAll<number>().as('n'), fn.max('seq').as('last')])
      .groupBy('state')
      .execute()
    if (counted.length === 0) return counts
    for (const { state, n } of counted) counts.set(state, (counts.get(state) ?? 0) + n)
    after = Math.max(...counted.map(({ last }) => last))
    await turn()
  }
}
