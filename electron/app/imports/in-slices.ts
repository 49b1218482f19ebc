/** How long one slice may hold everything else up. */
const sliceMs = 12

/** Lets everything else have its turn. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Does `each` for all items, a few milliseconds at a time. Ends early, with false, when `signal` aborts. `report` hears how many are
 * done after every slice.
 */
export async function inSlices<T>(
  items: readonly T[],
  each: (item: T, index: number) => void,
  signal: AbortSignal,
  report: (done: number) => void = () => undefined,
): Promise<boolean> {
  let until = performance.now() + sliceMs
  for (const [index, item] of items.entries()) {
    each(item, index)
    if (performance.now() < until) continue
    report(index + 1)
    await pause()
    if (signal.aborted) return false
    until = performance.now() + sliceMs
  }
  return !signal.aborted
}
