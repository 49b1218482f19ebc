import { expect, test } from 'vitest'
import { patienceMs } from './play-seeds.ts'
import { runSeed } from './run-seed.ts'

test.each([3, 11, 42])(
  'seed %i gives the same history twice, to the last request',
  async (seed) => {
    const first = await runSeed(seed)
    expect((await runSeed(seed)).trace).toEqual(first.trace)
    expect(first.trace.length).toBeGreaterThan(20)
  },
  patienceMs,
)
