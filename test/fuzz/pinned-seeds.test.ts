import { expect, test } from 'vitest'
import { pinnedSeeds } from './pinned-seeds.ts'
import { patienceMs } from './play-seeds.ts'
import { runSeed } from './run-seed.ts'

test.each(pinnedSeeds)(
  'seed $seed keeps every promise; once it showed: $showed',
  async ({ seed, deck = 'edits', policy = 'open' }) => {
    const { problem, trace } = await runSeed(seed, deck, policy)
    expect(problem, `npm run fuzz -- --seed ${seed} --runs 1 --deck ${deck} --policy ${policy}\n${trace.join('\n')}`).toBeNull()
  },
  patienceMs,
)
