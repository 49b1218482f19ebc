/** The most requests at once. */
const width = 6

/**
 * Runs `work` on every item, a few at a time; returns the results in the order of the items. Starts no more items after a result for which
 * `isLast` is true.
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>, isLast: (result: R) => boolean): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  let stopped = false
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      const result = await work(item)
      results[index] = result
      if (isLast(result)) stopped = true
      if (stopped) return
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}
