import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Violation } from './violation.ts'
import { createDice } from './dice.ts'
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

/** Plays one seed to its end. */
export async function runSeed(seed: number, deck: Deck = 'all', policy = policyOf(seed, deck)): Promise<RunResult> {
  const dice = createDice(seed ^ 0x5eed)
  const flavours = flavoursOf(deck)
  const flavour = (dice.chance(isWhole(deck) ? 0.4 : 0.6) ? flavours[0] : dice.pick(flavours)) ?? flavours[0]
  if (flavour === undefined) throw new Error('no flavours')
  const parent = mkdtempSync(join(fastFolder, 'holdfast-fuzz-'))
  const world = await World.open(seed, parent, flavour, dice.chance(0.7) ? 2 : 3, deck, policy)
  let problem: string | null = null
  let isBroken = false
  try {
    await world.run(dice.from(15, 60))
  } catch (error) {
    isBroken = error instanceof Violation
    if (error instanceof Violation) problem = error.message
    else problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const crashes = world.players.flatMap((player) => player.crashes)
  const given = new Set(world.players.flatMap((player) => [...player.given]))
  await world.close().catch((error: unknown) => (problem ??= String(error)))
  rmSync(parent, { recursive: true, force: true })
  return { seed, flavour: flavour.name, problem, isBroken, trace: world.trace, crashes, given }
}
