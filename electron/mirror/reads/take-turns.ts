import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMs = 8

/** Returns a function to await between the steps of a long read: it lets other work run if the last time was more than 8 ms ago. */
export function takeTurns(): () => Promise<void> | undefined {
  let until = performance.now() + turnMs
  const next = async () => {
    await nextTurn()
    until = performance.now() + turnMs
  }
  return () => (performance.now() < until ? undefined : next())
}
