import type { Table } from '../../bridge/contract.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { checkRepairedValues } from '../repair/check-repaired-values.ts'
import type { Problem } from '../../sync/plan/health.ts'
import { takeNewKey } from './take-new-key.ts'
import { startSync, type RunningSync, type ServiceAccess, type SyncDeps } from './start-sync.ts'

export interface SessionSyncDeps extends Omit<SyncDeps, 'onChange'> {
  onChange(tables: Table[]): void
  /** Called when sync finds the database damaged. */
  onDamaged(): void
}

/** The sync of a session, while its keys and its service are known. */
export interface SessionSync {
  readonly running: RunningSync | null
  /** Whether sync needs another API key: the service refused this one, or it is of another workspace. */
  readonly needsApiKey: boolean
  /** Syncs with this access and cipher from now on. */
  follow(access: ServiceAccess, cipher: WorkspaceCipher): Promise<void>
  /** Resolves when nothing of the sync runs any more. */
  stop(): Promise<void>
}

const isOfApiKey = (problem: Problem['kind'] | undefined): boolean => problem === 'unauthorized' || problem === 'wrong-workspace'

export function createSessionSync(deps: SessionSyncDeps): SessionSync {
  let running: RunningSync | null = null
  let needsApiKey = false

  const stop = async (): Promise<void> => {
    const before = running
    running = null
    needsApiKey = false
    await before?.stop()
  }

  const onChange: SyncDeps['onChange'] = (tables) => {
    deps.onChange([...tables])
    const problem = running?.engine.status().problem?.kind
    if (tables.includes('sync') && running !== null && isOfApiKey(problem) !== needsApiKey) {
      needsApiKey = !needsApiKey
      // The list of workspaces also says so.
      deps.onChange(['workspaces'])
    }
    if (problem === 'damaged') deps.onDamaged()
  }

  return {
    get running() {
      return running
    },
    get needsApiKey() {
      return needsApiKey
    },
    async follow(access, cipher) {
      const { apiKey, baseUrl } = access
      const isSame = running?.cipher === cipher && running.access.apiKey === apiKey && running.access.baseUrl === baseUrl
      if (isSame && running?.pollMs === deps.pollMs()) return
      await stop()
      checkRepairedValues(deps.mirror, cipher, deps.newId)
      await takeNewKey(deps.mirror, cipher, () => ({ now: deps.app.now(), newId: deps.newId }))
      running = startSync({ ...deps, onChange }, access, cipher)
    },
    stop,
  }
}
