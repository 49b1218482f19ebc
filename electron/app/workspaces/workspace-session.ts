import type { Damage } from '../../../service/protocol/thread.ts'
import type { AppError } from '../../bridge/app-error.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Remote } from '../../remote/remote.ts'
import type { Engine } from '../../sync/engine/engine.ts'
import type { SyncPort } from '../../sync/port.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/**
 * One open workspace. Its mirror stays the same. Keys, client and engine come and go, such as when keys are locked: read these fields at
 * each use, and keep no copy.
 */
export interface WorkspaceSession {
  readonly id: string
  readonly info: WorkspaceInfo
  readonly mirror: Mirror
  /** null while keys are locked or the workspace key is missing: see `requireCipher`. */
  readonly cipher: WorkspaceCipher | null
  /** Why `cipher` is null (`keys-locked`, `workspace-key-missing`, ...); null: it is not. */
  readonly cipherProblem: AppError | null
  /** Resolves once the keys asked for so far are there, or refused. */
  keysSettled(): Promise<void>
  readonly remote: Remote | null
  /** Null while `remote` is null. */
  readonly port: SyncPort | null
  /** Null without a client or a cipher. Edits are queued all the same. */
  readonly engine: Engine | null
  /** The limits of the service, one sentence each. Empty: none is known. */
  limits(): string[]
  /** Why `engine` is null, for the sync status (`service-not-started`, `keys-locked`, `unauthorized`); null: it runs. */
  readonly engineProblem: AppError | null
  /** Set while the database of the workspace's own service is damaged. */
  serviceDamage(): Damage | null
  /** The missing keys, without which values can't be read or sync can't run. */
  needs(): ('api-key' | 'workspace-key')[]
}
