import { describe, expect, test } from 'vitest'
import { playedCommands } from './command-table.ts'
import { runSeed, type AnyDeck, type RunResult } from './run-seed.ts'
import type { Policy } from './world.ts'

/** A history is some thousand commits, and the machine may have much else to do. */
export const patienceMs = 240_000

/** Plays a seed, and prints its history when it breaks a promise. */
export async function expectKept(seed: number, deck: AnyDeck, policy?: Policy): Promise<RunResult> {
  const run = await runSeed(seed, deck, policy)
  const again = `npm run fuzz -- --seed ${seed} --runs 1 --deck ${deck}${policy === undefined ? '' : ` --policy ${policy}`}`
  expect(run.problem, `${again}\n${run.trace.join('\n')}`).toBeNull()
  return run
}

/**
 * Plays `seeds`, each a test that prints its history when it breaks a promise. They are few, chosen among the first 300 so that together they
 * give every command that is played, meet every service and crash after every commit that those 300 do; `npm run fuzz` plays as many as one likes.
 * A change of sync changes histories: where a command is missing then, add a seed that gives it.
 */
export function playSeeds(seeds: readonly number[]): void {
  const given = new Set<string>()
  describe('seeded histories keep every promise', () => {
    test.each(seeds)(
      'the history of seed %i',
      async (seed) => {
        for (const name of (await expectKept(seed, 'all')).given) given.add(name)
      },
      patienceMs,
    )

    test('and together they give every command that is said to be played', () => {
      expect(playedCommands.filter((name) => !given.has(name))).toEqual([])
    })
  })
}
