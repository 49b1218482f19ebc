import type { Problem } from '../plan/health.ts'

/** The running sync of one workspace. */
export interface Engine {
  /** Reconciles entries that a crash left without an outcome, then syncs until stopped. */
  start(): void
  /** Resolves when the request under way is answered or aborted; nothing runs afterwards. */
  stop(): Promise<void>
  /** Syncs now and forgets waiting times: something changed, or the network may be back. */
  wake(): void
  /** Pushes and pulls once, now; resolves when that round has ended, well or not. */
  syncNow(): Promise<void>
  /** Pauses sync by the user's wish, beyond the end of this run, or resumes it. The request under way ends first. */
  hold(on: boolean): void
  status(): EngineStatus
}

export interface EngineStatus {
  phase: 'idle' | 'syncing' | 'offline' | 'paused'
  /** The last failure; null when the last round succeeded. */
  problem: Problem | null
  lastSyncedAt: number | null
  nextAttemptAt: number | null
}
