import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { SyncPort } from '../port.ts'

export type EngineTable = 'workspaces' | 'projects' | 'environments' | 'variables' | 'versions' | 'members' | 'queue' | 'sync'

/** Everything outside the engine that it uses; clock, randomness and ids are arguments, so that a run can be repeated. */
export interface EngineDeps {
  mirror: Mirror
  port: SyncPort
  /** The remote id of the workspace this mirror belongs to; a key of another one never syncs into it. */
  remoteWorkspaceId: string
  /** Milliseconds since the epoch. */
  now(): number
  /** In [0, 1). */
  random(): number
  /** UUIDv7. */
  newId(): string
  /** Never given a value, a key or a name. */
  log(level: 'info' | 'warn' | 'error', message: string, data?: Record<string, unknown>): void
  /** Called after a commit that changed these tables. */
  onChange(tables: readonly EngineTable[]): void
  /** Called when a round has pulled everything the service can tell; an exception ends the round like a failure of this computer. */
  onSynced?(): void
  /** Whether the disk has room for another page and for later edits; checked before each page is written. Default: always. */
  hasRoom?(): boolean
  /** Resolves to whether the database is whole. No round begins before that, and none if the database is damaged. */
  isWhole?: Promise<boolean>
  /** How long to rest between rounds when nothing is waiting. Default: 15 seconds. */
  pollMs?: number
  /** How often to probe a service that can't be reached. Default: 3 seconds. */
  probeMs?: number
}

/** Time, ids and randomness for one transaction. */
export const contextOf = (deps: Pick<EngineDeps, 'now' | 'newId' | 'random'>): EnqueueContext & { random(): number } => ({
  now: deps.now(),
  newId: () => deps.newId(),
  random: () => deps.random(),
})
