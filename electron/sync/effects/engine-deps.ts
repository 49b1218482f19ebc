import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Remote } from '../../remote/remote.ts'

export type EngineTable = 'projects' | 'environments' | 'variables' | 'versions' | 'members' | 'queue' | 'sync'

/** Everything outside that the engine touches; clock, randomness and ids are given, so that a run can be repeated. */
export interface EngineDeps {
  mirror: Mirror
  remote: Remote
  /** Whether the server is known to heed If-Match, see `noteEtags`; without it, a stored ETag is taken for a proof. */
  heedsEtags?(): boolean
  cipher: Pick<WorkspaceCipher, 'accept'>
  /** The workspace this mirror belongs to, by the server's id; a key of another one never syncs into it. */
  remoteWorkspaceId: string
  /** Milliseconds since the epoch. */
  now(): number
  /** In [0, 1). */
  random(): number
  /** UUIDv7. */
  newId(): string
  /** Never given a value, a key or a name. */
  log(level: 'info' | 'warn' | 'error', message: string, data?: Record<string, unknown>): void
  /** Called after a commit that changed these. */
  onChange(tables: readonly EngineTable[]): void
  /** How long to rest between rounds when nothing is waiting; 15 seconds unless said. */
  pollMs?: number
}
