import { dirname } from 'node:path'
import type { Restored } from '../../../service/protocol/thread.ts'
import type { AppError } from '../../bridge/app-error.ts'
import type { Table } from '../../bridge/contract.ts'
import { err, type Result } from '../../bridge/result.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { AppDeps } from '../app-deps.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { lostDrafts, putDraft } from '../../mirror/drafts-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { knownRecords } from '../repair/known-records.ts'
import { diskError } from '../settings/disk-error.ts'
import type { LocalService } from './local-service.ts'
import { findServiceAccess, findWorkspaceKey, isKeyMissing, type Found } from './session-keys.ts'
import { createSessionCipher } from './session-cipher.ts'
import { createSessionSync } from './session-sync.ts'
import type { ServiceAccess, SyncDeps } from './start-sync.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceSession } from './workspace-session.ts'

export interface SessionDeps extends Omit<SyncDeps, 'onChange' | 'app' | 'isWhole'> {
  app: SyncDeps['app'] & Pick<AppDeps, 'fetch'>
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** null: the workspace uses a remote service. */
  service: LocalService | null
  onChange(tables: Table[]): void
  /** Whether this process has opened the workspace before. An undo from then can restore what has been deleted. */
  isReopened: boolean
  /** Checks the whole database. Null: `signal` aborted first. */
  check(signal: AbortSignal): Promise<boolean | null>
  /** Called when the check or sync finds the database damaged. */
  onDamaged(): void
}

export interface RunningSession extends WorkspaceSession {
  /** The store of this workspace's keys. */
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** Applies the present keys and address. Sync keeps running if neither changed. Never rejects. */
  refresh(): Promise<void>
  /** Returns the service's address and API key, even without a workspace key. Null: not known now. */
  access(): Promise<ServiceAccess | null>
  wake(): void
  /** Replaces the service's damaged database with a backup, and writes the mirror's records over it. The user can edit in the meantime. */
  restoreService(): Promise<Result<Restored, AppError>>
  /** Stops sync and the embedded service, closes the database. */
  close(): Promise<void>
}

const fetching: AppError = { kind: 'keys-locked', message: 'Your keys are still loading.' }

export const openSession = (deps: SessionDeps): RunningSession => {
  const { info, mirror, service } = deps
  let isClosed = false
  const closing = new AbortController()
  const isWhole = checkWhole(deps, closing.signal)
  const keys = createSessionCipher(fetching)
  const sync = createSessionSync({ ...deps, isWhole, onDamaged: () => isClosed || deps.onDamaged() })
  const course = followKeys(deps, keys, sync, () => isClosed)

  return {
    id: info.id,
    info,
    mirror,
    get cipher() {
      return keys.cipher
    },
    get cipherProblem() {
      return keys.problem
    },
    keysSettled: course.settled,
    get remote() {
      return sync.running?.remote ?? null
    },
    get port() {
      return sync.running?.port ?? null
    },
    get engine() {
      return sync.running?.engine ?? null
    },
    limits: () => mirror.snapshot(readProfile)?.missing ?? [],
    get engineProblem() {
      return course.problem
    },
    needs() {
      const apiKey = service === null && (sync.needsApiKey || course.isApiKeyMissing)
      const workspaceKey = keys.problem !== null && isKeyMissing(keys.problem)
      return [...(apiKey ? (['api-key'] as const) : []), ...(workspaceKey ? (['workspace-key'] as const) : [])]
    },
    keyStore: deps.keyStore,
    serviceDamage: () => service?.damage() ?? null,
    refresh: course.refresh,
    restoreService: course.restoreService,
    access: course.access,
    wake: () => sync.running?.engine.wake(),
    async close() {
      isClosed = true
      closing.abort()
      await isWhole
      await course.settled()
      await sync.stop()
      keys.close(workspaceErrors.notFound)
      await service?.stop()
      mirror.close()
    },
  }
}

/** Starts and stops the sync of a session as its keys come and go, one change at a time. */
function followKeys(
  deps: SessionDeps,
  keys: ReturnType<typeof createSessionCipher>,
  sync: ReturnType<typeof createSessionSync>,
  isClosed: () => boolean,
) {
  const { info } = deps
  let problem: AppError | null = fetching
  let isApiKeyMissing = false
  let work: Promise<void> = Promise.resolve()

  const step = async (): Promise<void> => {
    if (isClosed()) return
    const store = await deps.keyStore()
    keys.take(await findWorkspaceKey(store, info.id))
    const access = await findAccess(deps, store)
    isApiKeyMissing = 'problem' in access && isKeyMissing(access.problem)
    problem = keys.problem ?? ('problem' in access ? access.problem : null)
    if (keys.cipher === null || 'problem' in access) {
      await sync.stop()
      // At a lock its thread ends: V8 may have given it freed pages with values in them, and a scrub only reaches those of the main thread.
      void deps.service?.rest()
      return
    }
    await sync.follow(access.value, keys.cipher)
  }

  const failed = async (error: unknown): Promise<void> => {
    problem = problemOf(deps, error)
    await sync.stop()
  }

  const refresh = (): Promise<void> => {
    work = work.then(step).catch(failed)
    return work.then(() => {
      if (!isClosed()) deps.onChange(['app', 'workspaces', 'sync', 'variables'])
    })
  }

  return {
    /** Why sync does not run; null: it runs. */
    get problem() {
      return problem
    },
    get isApiKeyMissing() {
      return isApiKeyMissing
    },
    refresh,
    async restoreService(): Promise<Result<Restored, AppError>> {
      const restored = work.then(() => restoreDatabase(deps, sync, isClosed()))
      work = restored.then(() => undefined, failed)
      await refresh()
      return restored
    },
    async access(): Promise<ServiceAccess | null> {
      const access = await findAccess(deps, await deps.keyStore())
      return 'value' in access ? access.value : null
    },
    settled: (): Promise<void> => work,
  }
}

const findAccess = async ({ app, info, service }: SessionDeps, store: Result<KeyStore, AppError>): Promise<Found<ServiceAccess>> =>
  service === null ? findServiceAccess(store, info, app.fetch) : { value: service.access }

async function restoreDatabase(
  { service, mirror }: SessionDeps,
  sync: ReturnType<typeof createSessionSync>,
  isClosed: boolean,
): Promise<Result<Restored, AppError>> {
  if (isClosed || service === null || service.damage() === null) return err(workspaceErrors.serviceNotDamaged)
  await sync.stop()
  return service.restore(mirror.snapshot(knownRecords))
}

/** Logs and returns why a session could not load its keys. */
function problemOf({ app, mirror }: SessionDeps, error: unknown): AppError {
  app.log('error', 'A workspace could not load its keys', { name: error instanceof Error ? error.name : typeof error })
  const message = 'Sync couldn’t start. Restart Holdfast; your changes are kept.'
  return diskError(error, dirname(mirror.file)) ?? { kind: 'service-not-started', message }
}

/**
 * Checks the database. If nothing is damaged, deletes the drafts that no undo can need: those whose environment or project was deleted
 * before this process started. Returns whether sync may use the database.
 */
async function checkWhole({ app, info, mirror, isReopened, check, onDamaged }: SessionDeps, signal: AbortSignal): Promise<boolean> {
  // Read before the check: an undo can restore what the user deletes during the check.
  const lost = isReopened ? [] : lostDraftsOf(mirror, info.id)
  try {
    const isWhole = await check(signal)
    if (isWhole === false) onDamaged()
    if (isWhole === true && lost.length > 0) mirror.write((tx) => lost.forEach((placeId) => putDraft(tx, placeId, null)))
    return isWhole === true
  } catch (error) {
    // The check could not run. Damage is reported when SQLite finds it.
    app.log('warn', 'A database could not be checked', { name: error instanceof Error ? error.name : typeof error })
    return true
  }
}

function lostDraftsOf(mirror: Mirror, workspaceId: string): readonly string[] {
  try {
    return mirror.snapshot((tx) => lostDrafts(tx, workspaceId))
  } catch {
    // The check reports damage.
    return []
  }
}
