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
  /** Whether the disk has room for another page and for edits after it; asked before each page is written. Always, unless said. */
  hasRoom?(): boolean
  /** Whether the database is whole: no round begins before this is known, nor when it is not. */
  isWhole?: Promise<boolean>
  /** How long to rest between rounds when nothing is waiting; 15 seconds unless said. */
  pollMs?: number
  /** How often the service is probed while it cannot be reached; 3 seconds unless said. */
  probeMs?: number
}

/** Time, ids and randomness for one transaction. */
export const contextOf = (deps: Pick<EngineDeps, 'now' | 'newId' | 'random'>): EnqueueContext & { random(): number } => ({
  now: deps.now(),
  newId: () => deps.newId(),
  random: () => deps.random(),
})
