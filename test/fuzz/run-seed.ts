import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Violation } from './violation.ts'
import { createDice } from './dice.ts'
import { StrictWorld } from './strict-world.ts'
import { flavoursOf, isWhole, World, type Deck, type Policy } from './world.ts'

/** How one run went: `problem` null when every promise was kept. */
export interface RunResult {
  seed: number
  flavour: string
  problem: string | null
  /** Whether that is a broken promise; else something threw that nobody expected. */
  isBroken: boolean
  trace: string[]
  crashes: string[]
  /** The commands that were given. */
  given: ReadonlySet<string>
}

/** In memory where there is such a place: a run writes some thousand commits, each to the disk. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Whose values a history takes, unless said: of those on a service with the change feed two in five are bound, from the beginning or at some time. */
const policyOf = (seed: number, deck: Deck): Policy => (!isWhole(deck) ? 'open' : ((['bound', 'upgraded'] as const)[seed % 5] ?? 'open'))

/** strict: edits of all sorts on the service that is written from the specification. The others: on ours, or on what is left of it. */
export type AnyDeck = Deck | 'strict'

/** Plays one seed to its end. */
export async function runSeed(seed: number, deck: AnyDeck = 'all', policy?: Policy): Promise<RunResult> {
  const parent = mkdtempSync(join(fastFolder, 'holdfast-fuzz-'))
  try {
    return deck === 'strict' ? await runStrict(seed, parent) : await runOnOurs(seed, parent, deck, policy ?? policyOf(seed, deck))
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

async function runStrict(seed: number, parent: string): Promise<RunResult> {
  const world = await StrictWorld.open(seed, parent)
  const outcome = await outcomeOf(() => world.run())
  await world.close()
  return { seed, flavour: world.says, ...outcome, trace: world.trace, crashes: [], given: new Set() }
}

async function outcomeOf(run: () => Promise<void>): Promise<Pick<RunResult, 'problem' | 'isBroken'>> {
  try {
    await run()
    return { problem: null, isBroken: false }
  } catch (error) {
    if (error instanceof Violation) return { problem: error.message, isBroken: true }
    return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error), isBroken: false }
  }
}

async function runOnOurs(seed: number, parent: string, deck: Deck, policy: Policy): Promise<RunResult> {
  const dice = createDice(seed ^ 0x5eed)
  const flavours = flavoursOf(deck)
  const flavour = (dice.chance(isWhole(deck) ? 0.4 : 0.6) ? flavours[0] : dice.pick(flavours)) ?? flavours[0]
  if (flavour === undefined) throw new Error('no flavours')
  const world = await World.open(seed, parent, flavour, dice.chance(0.7) ? 2 : 3, deck, policy)
  const outcome = await outcomeOf(() => world.run(dice.from(15, 60)))
  const crashes = world.players.flatMap((player) => player.crashes)
  const given = new Set(world.players.flatMap((player) => [...player.given]))
  await world.close().catch((error: unknown) => (outcome.problem ??= String(error)))
  return { seed, flavour: flavour.name, ...outcome, trace: world.trace, crashes, given }
}
