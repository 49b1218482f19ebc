import type { Damage } from '../../../service/protocol/thread.ts'
import type { AppError } from '../../bridge/app-error.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Remote } from '../../remote/remote.ts'
import type { Engine } from '../../sync/engine/engine.ts'
import type { SyncPort } from '../../sync/port.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/**
 * One open workspace. Its mirror stays the same; keys, client and engine come and go (keys locked, API key refused), so read these fields
 * at each use and keep no copy.
 */
export interface WorkspaceSession {
  readonly id: string
  readonly info: WorkspaceInfo
  readonly mirror: Mirror
  /** null while keys are locked or the workspace key is missing: see `requireCipher`. */
  readonly cipher: WorkspaceCipher | null
  /** Why `cipher` is null (`keys-locked`, `workspace-key-missing`, ...); null while there is one. */
  readonly cipherProblem: AppError | null
  readonly remote: Remote | null
  /** Null while `remote` is null. */
  readonly port: SyncPort | null
  /** null without client or cipher; edits are queued all the same. */
  readonly engine: Engine | null
  /** The limits of the service, one sentence each; empty while none is known. */
  limits(): string[]
  /** Why `engine` is null, for the sync status (`service-not-started`, `keys-locked`, `unauthorized`); null while it runs. */
  readonly engineProblem: AppError | null
  /** Set while the database of the workspace's own service is damaged. */
  serviceDamage(): Damage | null
  /** The keys that are missing: values can't be read, or sync can't run, without them. */
  needs(): ('api-key' | 'workspace-key')[]
}
