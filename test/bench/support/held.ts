import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { timed, timeRows, type Taken } from './rounds.ts'
import { atMost, type Row } from './row.ts'

/** What a piece of work took, and for how many milliseconds at most it held the event loop. */
export interface Held extends Taken {
  longest: number
}

export async function held(work: () => Promise<unknown>): Promise<Held> {
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  await wait(20)
  const taken = await timed(work)
  await wait(20)
  delay.disable()
  return { ...taken, longest: Math.max(0, delay.max / 1e6 - 2) }
}

export const heldRows = (what: string, taken: readonly Held[]): Row[] => [
  ...timeRows(what, taken),
  { what: `${what}, event loop held, longest`, unit: 'ms', ours: taken.map(({ longest }) => longest), goal: atMost(50) },
]
