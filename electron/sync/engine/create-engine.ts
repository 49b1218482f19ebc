import { trimHistory } from '../../mirror/history-layer.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import type { EngineDeps } from './engine-deps.ts'
import type { Engine, EngineStatus } from './engine.ts'
import { earliestRetry } from './push-entries.ts'
import { newMemory, playRound, type RoundEnd } from './round.ts'
import { healthAfter, healthAfterThrow, healthy, isQuiet, isWorthProbing, restOf, type Health } from './schedule.ts'

const defaultPollMs = 15_000
const defaultProbeMs = 3_000

/** What the engine is doing. Rounds are never two at once: who asks while one is running gets one more. */
type Activity =
  | { is: 'stopped' }
  | { is: 'resting'; timer: ReturnType<typeof setTimeout> | null }
  | { is: 'running'; isWanted: boolean; isAsked: boolean; ended: Promise<void> }

/** The sync of one workspace: a loop of rounds, each followed by a rest. */
export function createEngine(deps: EngineDeps): Engine {
  const { mirror, port, isWhole = Promise.resolve(true), pollMs = defaultPollMs, probeMs = defaultProbeMs } = deps
  const memory = newMemory()
  let activity: Activity = { is: 'stopped' }
  let health: Health = healthy
  let hasSynced = false
  let lastSyncedAt = mirror.snapshot((tx) => numberOf(getState(tx, 'last-synced-at')))
  /** The user wants nothing sent or read until told; once by "sync now" all the same. */
  let isHeld = mirror.snapshot((tx) => getState(tx, 'paused') !== null)

  const announce = (): void => deps.onChange(['sync'])
  const isStopped = (): boolean => activity.is === 'stopped'
  const isHalted = (): boolean => activity.is !== 'running' || (isHeld && !activity.isAsked)

  /** Runs rounds until nothing more is wanted. `isAsked`: the user asks for this one, also while sync is held. */
  function run(isAsked: boolean): Promise<void> {
    if (activity.is === 'stopped' || (isHeld && !isAsked && activity.is === 'resting')) return Promise.resolve()
    if (activity.is === 'running') {
      activity.isWanted = true
      activity.isAsked ||= isAsked
      return activity.ended
    }
    if (activity.timer !== null) clearTimeout(activity.timer)
    const running: Extract<Activity, { is: 'running' }> = { is: 'running', isWanted: true, isAsked, ended: Promise.resolve() }
    activity = running
    running.ended = playRounds(running)
    return running.ended
  }

  async function playRounds(running: Extract<Activity, { is: 'running' }>): Promise<void> {
    while (running.isWanted && activity === running && !isHalted()) {
      running.isWanted = false
      announce()
      await playOne()
    }
    if (activity === running) rest()
    announce()
  }

  async function playOne(): Promise<void> {
    if (!(await isWhole)) return
    try {
      const end = await playRound(deps, memory, isHalted)
      if (!isStopped()) record(end)
    } catch (thrown) {
      recordThrow(thrown)
    }
  }

  function record(end: RoundEnd): void {
    if (end.is === 'done') {
      hasSynced = true
      lastSyncedAt = deps.now()
      mirror.write((tx) => {
        setState(tx, 'last-synced-at', String(lastSyncedAt))
        trimHistory(tx, deps.now())
      })
      deps.onSynced?.()
    }
    health = healthAfter(health, end, earliestRetry(deps), { now: deps.now(), random: deps.random() })
    // The next key may be another workspace's.
    if (health.phase === 'paused') memory.isIdentified = false
    if (end.is === 'failed') deps.log('info', 'Sync round ended early', { kind: end.failure.kind, failures: health.failures })
  }

  function recordThrow(thrown: unknown): void {
    const code = errorCode(thrown)
    health = healthAfterThrow(health, code, { now: deps.now(), random: deps.random() })
    deps.log('error', 'A sync round failed on this computer', { code, failures: health.failures })
  }

  function rest(): void {
    const delay = isHeld ? null : restOf(health, deps.now(), pollMs, probeMs)
    activity = { is: 'resting', timer: delay === null ? null : restFor(delay) }
  }

  /** Rests until the next round is due, or a probe shows that the service answers again. */
  function restFor(delay: number): ReturnType<typeof setTimeout> {
    const probes = isWorthProbing(health, deps.now()) && delay > probeMs
    const timer = setTimeout(() => void (probes ? probe() : run(false)), probes ? probeMs : delay)
    timer.unref()
    return timer
  }

  async function probe(): Promise<void> {
    const resting = activity
    const isBack = await port.probe().catch(() => false)
    if (activity !== resting || resting.is !== 'resting') return
    if (isBack) void run(false)
    else rest()
  }

  return {
    start() {
      if (activity.is === 'stopped') activity = { is: 'resting', timer: null }
      void run(false)
    },
    async stop() {
      const before = activity
      activity = { is: 'stopped' }
      if (before.is === 'resting' && before.timer !== null) clearTimeout(before.timer)
      if (before.is === 'running') await before.ended
      health = { ...health, phase: 'idle' }
    },
    wake() {
      health = { ...health, failures: 0 }
      if (!isQuiet(health, deps.now())) void run(false)
    },
    async syncNow() {
      health = { ...health, failures: 0 }
      memory.isIdentified = false
      await run(true)
    },
    hold(on) {
      isHeld = on
      mirror.write((tx) => setState(tx, 'paused', on ? 'yes' : null))
      if (activity.is === 'resting') {
        if (activity.timer !== null) clearTimeout(activity.timer)
        rest()
        if (!on) void run(false)
      }
      announce()
    },
    status: (): EngineStatus => ({
      phase: activity.is === 'running' ? 'syncing' : health.phase,
      problem: health.problem,
      lastSyncedAt,
      hasSynced,
      nextAttemptAt: isHeld ? null : health.nextAttemptAt,
    }),
  }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

const errorCode = (thrown: unknown): string =>
  thrown instanceof Error ? ('code' in thrown ? String(thrown.code) : thrown.name) : typeof thrown
