/** Runs `work` on every item, at most `width` at a time; results in the order of the items. When one gives `stop`, no more are begun. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
  stop: (result: R) => boolean,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let stopped = false
  const lane = async (): Promise<void> => {
    while (!stopped && next < items.length) {
      const at = next
      next += 1
      const result = await work(items[at] as T)
      results[at] = result
      if (stop(result)) stopped = true
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  return results
}
