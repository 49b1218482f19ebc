/** Keeps the `limit` items with the highest scores. */
export interface BestOf<T> {
  /** The score that an item has to exceed to be kept. */
  bar(): number
  offer(score: number, item: T): void
  /** Best first. */
  take(): T[]
}

export function bestOf<T>(limit: number): BestOf<T> {
  let kept: { score: number; item: T }[] = []
  let bar = Number.NEGATIVE_INFINITY
  /** Sorting sometimes costs less than keeping order at every offer. */
  const trim = () => {
    kept = kept.toSorted((a, b) => b.score - a.score).slice(0, limit)
    if (kept.length === limit) bar = kept.at(-1)?.score ?? bar
  }
  return {
    bar: () => bar,
    offer(score, item) {
      if (score <= bar) return
      kept.push({ score, item })
      if (kept.length >= limit * 4) trim()
    },
    take() {
      trim()
      return kept.map(({ item }) => item)
    },
  }
}
