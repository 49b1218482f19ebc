import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { pinnedSeeds } from './pinned-seeds.ts'
import { runSeed, type AnyDeck } from './run-seed.ts'
import type { Policy } from './world.ts'

/**
 * `npm run fuzz -- --seed N --runs N`: plays seeds N, N+1, ... and prints the history of each that breaks a promise.
 * The same seed on the same deck gives the same history, to the last request: `--trace` prints it in any case. `--deck edits` draws edits of
 * rows alone; `--deck operations` these with snapshots, rollbacks and members, on services that list what they hold; `--deck all` every command;
 * `--deck questions` these, with questions that change while they are open; `--deck deletions` that, with projects and environments that are
 * deleted and restored; `--deck moves` every command, with variables that are touched again after they were moved; `--deck returns` every
 * command, with projects and environments whose deletion is sent and then undone; `--deck queues` every command, with long queues that are
 * sent and read in small parts; `--deck names` every command, with names and slugs that are swapped, freed and taken; `--deck strict` edits of all sorts on the service that is
 * written from the specification alone. Without a deck the seeds take `all` and the six after it in turn.
 * `--policy open`, `bound` or `upgraded` says whose values are taken,
 * where the seed would draw it. `--pinned` plays the seeds that once broke a promise before them. `--stop` ends with the
 * first that fails.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    deck: { type: 'string' },
    policy: { type: 'string', default: 'drawn' },
    pinned: { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
  },
})
const first = Number(values.seed)
const runs = Number(values.runs)
if (!Number.isInteger(first) || !Number.isInteger(runs) || runs < 1) {
  console.error('Usage: npm run fuzz -- --seed N --runs N [--deck NAME] [--trace], with whole numbers.')
  process.exit(2)
}

/** Taken in turn where no deck is named. */
const inTurn = ['all', 'questions', 'deletions', 'moves', 'returns', 'queues', 'names'] as const
const decks = ['edits', 'operations', ...inTurn, 'strict'] as const
const named = decks.find((each) => each === values.deck)
if (values.deck !== undefined && named === undefined) {
  console.error(`There is no deck "${values.deck}". There are ${new Intl.ListFormat('en-GB').format(decks)}.`)
  process.exit(2)
}
const deckOf = (seed: number): AnyDeck => named ?? inTurn[Math.floor(seed / 5) % inTurn.length] ?? 'all'
const policy = (['open', 'bound', 'upgraded'] as const).find((each) => each === values.policy)
const start = performance.now()
const crashes = new Map<string, number>()
const drawn: { seed: number; deck: AnyDeck; policy?: Policy | undefined }[] = Array.from({ length: runs }, (_, n) => ({
  seed: first + n,
  deck: deckOf(first + n),
  policy,
}))
// The newest first: they show most of what the last mends are about.
const pinned = values.pinned ? pinnedSeeds.toReversed().map((each) => ({ deck: 'edits' as const, policy: 'open' as const, ...each })) : []
let played = 0
let steps = 0
let failed = 0
for (const { seed, deck, policy } of [...pinned, ...drawn]) {
  if (values.stop && failed > 0) break
  const { problem, isBroken, trace, flavour, crashes: at } = await runSeed(seed, deck, policy)
  played += 1
  steps += trace.length
  for (const name of at) crashes.set(name, (crashes.get(name) ?? 0) + 1)
  if (values.trace || problem !== null) {
    console.log(trace.join('\n'))
    console.log(`seed ${seed} (${flavour}), history ${createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16)}`)
  }
  if (problem !== null) {
    failed += 1
    console.log(
      `${isBroken ? 'FAILED' : 'THREW in'} seed ${seed} (${flavour}): ${problem}\nAgain: npm run fuzz -- --seed ${seed} --runs 1 --deck ${deck}${policy === undefined ? '' : ` --policy ${policy}`}\n`,
    )
  }
}
const seconds = ((performance.now() - start) / 1000).toFixed(1)
console.log(
  `Crashes by the commit they followed: ${[...crashes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')}`,
)
console.log(
  `${played} runs from seed ${first}: ${played - failed} kept every promise, ${failed} did not; ${steps} lines of history, ${seconds} s`,
)
process.exitCode = failed > 0 ? 1 : 0
