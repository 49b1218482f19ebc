import { seededRandom } from '../support/seeded-random.ts'

export interface Dice {
  /** A whole number from 0 up to `end`. */
  below(end: number): number
  pick<T>(list: readonly T[]): T
  chance(rate: number): boolean
}

/** The same seed throws the same. */
export function createDice(seed: number): Dice {
  const random = seededRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
  return {
    below,
    pick(list) {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
    chance: (rate) => random() < rate,
  }
}
