import { setImmediate as nextTurn } from 'node:timers/promises'
import { slicesOf } from '../../slices.ts'

/** Returns `list.map(work)`, computed slice by slice, so that other work runs in between. `weigh`: as for `slicesOf`. */
export async function inTurns<T, R>(list: readonly T[], weigh: (item: T) => number, work: (item: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const slice of slicesOf(list, undefined, weigh)) {
    if (done.length > 0) await nextTurn()
    for (const item of slice) done.push(work(item))
  }
  return done
}
