import { seededRandom } from '../support/seeded-random.ts'

/** Draws from one seeded stream: the same seed, the same draws. */
export interface Dice {
  /** In [0, 1). */
  next(): number
  /** True with probability `p`. */
  chance(p: number): boolean
  /** A whole number from `low` to `high`, both included. */
  from(low: number, high: number): number
  /** One of `items`; undefined when there are none. */
  pick<T>(items: readonly T[]): T | undefined
  /** One key of `weights`, each with the probability of its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

export function createDice(seed: number): Dice {
  const next = seededRandom(seed)
  const from = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    chance: (p) => next() < p,
    from,
    pick: (items) => (items.length === 0 ? undefined : items[from(0, items.length - 1)]),
    weighted<K extends string>(weights: Readonly<Record<K, number>>) {
      const entries = Object.entries(weights) as [K, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        left -= weight
        if (left < 0) return key
      }
      return (entries.at(-1) as [K, number])[0]
    },
  }
}
