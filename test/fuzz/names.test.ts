import { test } from 'vitest'
import { expectKept, patienceMs } from './play-seeds.ts'

test.each([3, 14, 62])(
  'the history of seed %i, with names and slugs that are swapped, freed and taken, keeps every promise',
  async (seed) => {
    await expectKept(seed, 'names')
  },
  patienceMs,
)
