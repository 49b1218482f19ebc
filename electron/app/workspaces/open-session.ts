import { dirname } from 'node:path'
import type { Restored } from '../../../service/protocol/thread.ts'
import type { AppError } from '../../bridge/app-error.ts'
import type { Table } from '../../bridge/contract.ts'
import { err, type Result } from '../../bridge/result.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { keyId } from '../../cipher/key-id.ts'
import { wipeKey } from '../../cipher/key-object.ts'
import { parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { AppDeps } from '../app-deps.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { checkRepairedValues } from '../repair/check-repaired-values.ts'
import { knownRecords } from '../repair/known-records.ts'
import { diskError } from '../settings/disk-error.ts'
import type { LocalService } from './local-service.ts'
import { findServiceAccess, findWorkspaceKey, forgetServiceKey, isGone, type Found } from './session-keys.ts'
import { startSync, type RunningSync, type ServiceAccess, type SyncDeps } from './start-sync.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceSession } from './workspace-session.ts'

export interface SessionDeps extends Omit<SyncDeps, 'onChange' | 'app' | 'isWhole'> {
  app: SyncDeps['app'] & Pick<AppDeps, 'fetch'>
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** null: the workspace is on somebody's service. */
  service: LocalService | null
  onChange(tables: Table[]): void
  /** Finds out whether all of the database is whole; null: the signal came first. */
  check(signal: AbortSignal): Promise<boolean | null>
  /** The check or sync met damage in the database. */
  onDamaged(): void
}

export interface RunningSession extends WorkspaceSession {
  /** Where the keys of this workspace are. */
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** Takes up keys and address as they are now; what did not change keeps running. Never rejects. */
  refresh(): Promise<void>
  /** Where the service is and the API key for it, also while there is no workspace key; null: not known now. */
  access(): Promise<ServiceAccess | null>
  wake(): void
  /** Puts a backup in the place of the service's damaged database, with what the mirror has seen on top. Edits go on meanwhile. */
  restoreService(): Promise<Result<Restored, AppError>>
  /** Stops sync and the embedded service, closes the database. */
  close(): Promise<void>
}

/** Longer than sync takes to stop, and than one call takes; `scrubMemory` runs after it. */
export const wipeAfterMs = 3000

const fetching: AppError = { kind: 'keys-locked', message: 'Your keys are still loading.' }

export const openSession = (deps: SessionDeps): RunningSession => {
  const { app, info, mirror, service } = deps
  let opened: { cipher: WorkspaceCipher } | null = null
  let cipherProblem: AppError | null = fetching
  let engineProblem: AppError | null = fetching
  let sync: RunningSync | null = null
  let unauthorized = false
  let apiKeyGone = false
  let closed = false
  let work: Promise<void> = Promise.resolve()
  const closing = new AbortController()

  const check = async (): Promise<boolean> => {
    try {
      const isWhole = await deps.check(closing.signal)
      if (isWhole === false) deps.onDamaged()
      return isWhole === true
    } catch (error) {
      // What SQLite meets later is told then.
      app.log('warn', 'A database could not be checked', { name: error instanceof Error ? error.name : typeof error })
      return true
    }
  }
  const isWhole = check()

  /** Nobody gets this cipher any more. What was begun with it gets a moment to end, then its key is overwritten. */
  const drop = (): void => {
    const before = opened?.cipher
    opened = null
    if (before !== undefined) setTimeout(() => before.wipe(), wipeAfterMs).unref()
  }

  const takeCipher = (found: Found<string>): void => {
    const key = 'value' in found ? parseWorkspaceKey(found.value) : null
    if ('problem' in found || key === null || !key.ok) {
      drop()
      cipherProblem = 'problem' in found ? found.problem : workspaceErrors.keyMissing
      return
    }
    if (opened !== null && opened.cipher.keyId === keyId(key.value)) wipeKey(key.value)
    else {
      drop()
      opened = { cipher: createWorkspaceCipher(key.value) }
    }
    cipherProblem = null
  }

  const findAccess = async (store: Result<KeyStore, AppError>): Promise<Found<ServiceAccess>> =>
    service === null ? findServiceAccess(store, info, app.fetch) : { value: service.access }

  const stopSync = async (): Promise<void> => {
    const before = sync
    sync = null
    unauthorized = false
    await before?.stop()
  }

  /** A key the service does not know any more concerns the list of workspaces too. */
  const watchAuthorization = (): void => {
    const now = sync?.engine.status().problem?.kind === 'unauthorized'
    if (sync === null || now === unauthorized) return
    unauthorized = now
    deps.onChange(['workspaces'])
  }

  const onSync: SyncDeps['onChange'] = (tables) => {
    deps.onChange([...tables])
    if (tables.includes('sync')) watchAuthorization()
    if (!closed && sync?.engine.status().problem?.kind === 'damaged') deps.onDamaged()
  }

  const step = async (): Promise<void> => {
    if (closed) return
    const store = await deps.keyStore()
    takeCipher(await findWorkspaceKey(store, info.id))
    const access = await findAccess(store)
    apiKeyGone = 'problem' in access && isGone(access.problem)
    engineProblem = cipherProblem ?? ('problem' in access ? access.problem : null)
    if (opened === null || 'problem' in access) return stopSync()
    const { baseUrl, apiKey } = access.value
    const isSame = sync?.cipher === opened.cipher && sync.access.apiKey === apiKey && sync.access.baseUrl === baseUrl
    if (isSame && sync?.pollMs === deps.pollMs()) return
    await stopSync()
    checkRepairedValues(mirror, opened.cipher)
    sync = startSync({ ...deps, isWhole, onChange: onSync }, access.value, opened.cipher)
    if (service !== null && store.ok) await forgetServiceKey(store.value, info.id)
  }

  const failed = async (error: unknown): Promise<void> => {
    app.log('error', 'A workspace could not take up its keys', { name: error instanceof Error ? error.name : typeof error })
    const message = "Sync couldn't start. Restart Holdfast; your changes are kept."
    engineProblem = diskError(error, dirname(mirror.file)) ?? { kind: 'service-not-started', message }
    await stopSync()
  }

  const refresh = (): Promise<void> => {
    work = work.then(step).catch(failed)
    return work.then(() => {
      if (!closed) deps.onChange(['app', 'workspaces', 'sync', 'variables'])
    })
  }

  const restore = async (): Promise<Result<Restored, AppError>> => {
    if (closed || service === null || service.damage() === null) return err(workspaceErrors.serviceNotDamaged)
    await stopSync()
    return service.restore(mirror.snapshot(knownRecords))
  }

  return {
    id: info.id,
    info,
    mirror,
    get cipher() {
      return opened?.cipher ?? null
    },
    get cipherProblem() {
      return cipherProblem
    },
    get remote() {
      return sync?.remote ?? null
    },
    get port() {
      return sync?.port ?? null
    },
    get engine() {
      return sync?.engine ?? null
    },
    limits: () => mirror.snapshot(readProfile)?.missing ?? [],
    get engineProblem() {
      return engineProblem
    },
    needs() {
      const apiKey = service === null && (unauthorized || apiKeyGone)
      const workspaceKey = cipherProblem !== null && isGone(cipherProblem)
      return [...(apiKey ? (['api-key'] as const) : []), ...(workspaceKey ? (['workspace-key'] as const) : [])]
    },
    keyStore: deps.keyStore,
    serviceDamage: () => service?.damage() ?? null,
    refresh,
    async restoreService() {
      const restored = work.then(restore)
      work = restored.then(() => undefined, failed)
      await refresh()
      return restored
    },
    async access() {
      const access = await findAccess(await deps.keyStore())
      return 'value' in access ? access.value : null
    },
    wake() {
      sync?.engine.wake()
    },
    async close() {
      closed = true
      closing.abort()
      await isWhole
      await work
      await stopSync()
      drop()
      cipherProblem = workspaceErrors.notFound
      await service?.stop()
      mirror.close()
    },
  }
}
