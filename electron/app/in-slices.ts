import { setImmediate as yieldToOthers } from 'node:timers/promises'

/**
 * Runs `next` until it returns no rows, each time with the id of the last row before, at first with ''. Other work runs in between: `next`
 * should take a few milliseconds.
 */
export async function inSlices(next: (after: string) => readonly { id: string }[] | Promise<readonly { id: string }[]>): Promise<void> {
  for (let after = ''; ;) {
    const last = (await next(after)).at(-1)
    if (last === undefined) return
    after = last.id
    await yieldToOthers()
  }
}
