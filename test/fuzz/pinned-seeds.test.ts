import { test } from 'vitest'
import { pinnedSeeds } from './pinned-seeds.ts'
import { expectKept, patienceMs } from './play-seeds.ts'

test.each(pinnedSeeds)(
  'seed $seed keeps every promise; once it showed: $showed',
  async ({ seed, deck = 'edits', policy = 'open' }) => {
    await expectKept(seed, deck, policy)
  },
  patienceMs,
)
