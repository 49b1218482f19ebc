import { trimDeleted } from '../../mirror/deleted-layer.ts'
import { trimHistory } from '../../mirror/history-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { storageFailure } from '../../mirror/storage-failure.ts'
import { trimSuperseded } from '../../mirror/superseded-layer.ts'
import { moveTrimClock } from '../../mirror/trim-clock.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import {
  healthAfter,
  healthAfterThrow,
  healthy,
  isQuiet,
  isWorthProbing,
  restOf,
  type Health,
  type Problem,
  type RoundEnd,
} from '../plan/health.ts'
import type { EngineDeps } from './engine-deps.ts'
import type { Engine } from './engine.ts'
import { newMemory, playRound, type RunMemory } from './round.ts'
import { createScheduler } from './scheduler.ts'

const defaultPollMs = 15_000
const defaultProbeMs = 3_000
/** How often expired rows are deleted. */
const trimEveryMs = 60 * 60 * 1000

/** Creates the sync of one workspace, which plays rounds and keeps how the last of them ended. */
export function createEngine(deps: EngineDeps): Engine {
  const { mirror, port, isWhole = Promise.resolve(true), pollMs = defaultPollMs, probeMs = defaultProbeMs } = deps
  const memory = newMemory()
  const record = openRecord(mirror)
  const rounds = followRounds(deps, memory, record)

  const announce = (): void => deps.onChange(['sync'])
  const scheduler = createScheduler({
    async play({ isHalted, isStopped }) {
      if (!(await isWhole)) return
      try {
        const end = await playRound(deps, memory, isHalted)
        if (!isStopped()) rounds.ended(end)
      } catch (thrown) {
        rounds.threw(thrown)
      }
    },
    rest: () => ({
      dueIn: record.isHeld ? null : restOf(rounds.health, deps.now(), pollMs, probeMs),
      probeMs: isWorthProbing(rounds.health, deps.now()) ? probeMs : null,
    }),
    probe: () => port.probe().catch(() => false),
    isHeld: () => record.isHeld,
    announce,
  })

  return {
    start: scheduler.start,
    async stop() {
      await scheduler.stop()
      rounds.change({ phase: 'idle' })
    },
    wake() {
      rounds.change({ failures: 0 })
      if (!isQuiet(rounds.health, deps.now())) void scheduler.request(false)
    },
    async syncNow() {
      rounds.change({ failures: 0 })
      memory.isIdentified = false
      await scheduler.request(true)
    },
    hold(on) {
      record.hold(on)
      scheduler.rearm()
      if (!on && !scheduler.isRunning()) void scheduler.request(false)
      announce()
    },
    status: () => ({
      phase: scheduler.isRunning() ? 'syncing' : rounds.health.phase,
      problem: rounds.health.problem,
      lastSyncedAt: record.lastSyncedAt,
      nextAttemptAt: record.isHeld ? null : rounds.health.nextAttemptAt,
    }),
  }
}

/** Keeps how the last rounds ended. */
function followRounds(deps: EngineDeps, memory: RunMemory, record: ReturnType<typeof openRecord>) {
  let health: Health = healthy
  const sources = () => ({ now: deps.now(), random: deps.random() })
  return {
    get health() {
      return health
    },
    change(parts: Partial<Health>): void {
      health = { ...health, ...parts }
    },
    ended(end: RoundEnd): void {
      if (end.is === 'done') {
        record.synced(deps.now())
        deps.onSynced?.()
      }
      health = healthAfter(health, end, sources())
      // The next API key may belong to another workspace.
      if (health.phase === 'paused') memory.isIdentified = false
      if (end.is === 'failed') deps.log('info', 'Sync round ended early', { kind: end.failure.kind, failures: health.failures })
    },
    threw(thrown: unknown): void {
      const code = errorCode(thrown)
      health = healthAfterThrow(health, localProblem(code), sources())
      deps.log('error', 'A sync round failed on this computer', { code, failures: health.failures })
    },
  }
}

/** Describes a failure of this computer. Each commit is whole or absent, so nothing is lost, and the next round reconciles. */
function localProblem(code: string): Problem {
  const failure = storageFailure(code)
  if (failure === 'disk-full') return { kind: 'disk', message: 'The disk is full. Free some space; your changes are kept.' }
  if (failure === 'folder-in-use') {
    return { kind: 'disk', message: 'Another program is using this workspace’s database. Close it; your changes are kept.' }
  }
  if (failure === 'database-damaged') {
    return { kind: 'damaged', message: 'The database of this workspace is damaged. Nothing is sent or written until it is repaired.' }
  }
  if (code.startsWith('SQLITE_')) {
    return { kind: 'disk', message: 'The database of this workspace couldn’t be read or written. Make a copy of the data folder.' }
  }
  return { kind: 'bug', message: 'Sync met an unexpected problem and will try again. Your changes are kept.' }
}

/** The state of sync that the mirror keeps between runs. */
function openRecord(mirror: Mirror) {
  let trimmedAt = Number.NEGATIVE_INFINITY
  let lastSyncedAt = mirror.snapshot((tx) => numberOf(getState(tx, 'last-synced-at')))
  let isHeld = mirror.snapshot((tx) => getState(tx, 'paused') !== null)
  return {
    get lastSyncedAt() {
      return lastSyncedAt
    },
    get isHeld() {
      return isHeld
    },
    synced(now: number): void {
      lastSyncedAt = now
      mirror.write((tx) => {
        trimSuperseded(tx)
        // Trimming reads all kept rows.
        if (Math.abs(now - trimmedAt) >= trimEveryMs) {
          const trimTime = moveTrimClock(tx, now)
          trimHistory(tx, trimTime)
          trimDeleted(tx, trimTime)
          trimmedAt = now
        }
        // After the trim: the first one goes by the sync before.
        setState(tx, 'last-synced-at', String(now))
      })
    },
    hold(on: boolean): void {
      isHeld = on
      mirror.write((tx) => setState(tx, 'paused', on ? 'yes' : null))
    },
  }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

const errorCode = (thrown: unknown): string =>
  thrown instanceof Error ? ('code' in thrown ? String(thrown.code) : thrown.name) : typeof thrown
