import { describe, expect, test } from 'vitest'
import { playedCommands } from './command-table.ts'
import { runSeed } from './run-seed.ts'

/** A history is some thousand commits, and the machine may have much else to do. */
export const patienceMs = 240_000

/** Plays seeds `first` to `first + count - 1`, ten a test; a seed that breaks a promise prints its history. */
export function playSeeds(first: number, count: number): void {
  const tens = Array.from({ length: count / 10 }, (_, n) => first + n * 10)
  const given = new Set<string>()
  describe('seeded histories keep every promise', () => {
    test.each(tens)(
      'seeds from %i on, ten of them',
      async (from) => {
        for (let seed = from; seed < from + 10; seed += 1) {
          const { problem, trace, given: some } = await runSeed(seed)
          for (const name of some) given.add(name)
          expect(problem, `npm run fuzz -- --seed ${seed} --runs 1\n${trace.join('\n')}`).toBeNull()
        }
      },
      patienceMs,
    )

    test('and together they give every command that is said to be played', () => {
      expect(playedCommands.filter((name) => !given.has(name))).toEqual([])
    })
  })
}
