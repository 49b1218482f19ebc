import { expect, test } from 'vitest'
import { patienceMs } from './play-seeds.ts'
import { runSeed } from './run-seed.ts'

test.each([1, 2, 4, 6, 26, 37, 4029, 6002])(
  'the history of seed %i, on the service that is written from the specification, keeps every promise',
  async (seed) => {
    const { problem, trace } = await runSeed(seed, 'strict')
    expect(problem, `npm run fuzz -- --seed ${seed} --runs 1 --deck strict\n${trace.join('\n')}`).toBeNull()
  },
  patienceMs,
)
