import { test } from 'vitest'
import { expectKept, patienceMs } from './play-seeds.ts'

test.each([1, 2, 4, 6, 26, 37, 4029, 6002, 12442000, 12442018])(
  'the history of seed %i, on the service that is written from the specification, keeps every promise',
  async (seed) => {
    await expectKept(seed, 'strict')
  },
  patienceMs,
)
