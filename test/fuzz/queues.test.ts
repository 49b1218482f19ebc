import { test } from 'vitest'
import { expectKept, patienceMs } from './play-seeds.ts'

test.each([1, 2, 3, 5, 8, 13])(
  'the history of seed %i, with long queues that are sent and read in small parts, keeps every promise',
  async (seed) => {
    await expectKept(seed, 'queues')
  },
  patienceMs,
)
