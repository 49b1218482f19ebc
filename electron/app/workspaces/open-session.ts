import { dirname } from 'node:path'
import type { AppError } from '../../bridge/app-error.ts'
import type { Table } from '../../bridge/contract.ts'
import type { Result } from '../../bridge/result.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { createRemote } from '../../remote/create-remote.ts'
import type { Remote } from '../../remote/remote.ts'
import { createEngine } from '../../sync/effects/create-engine.ts'
import type { Engine } from '../../sync/effects/engine.ts'
import type { AppDeps } from '../app-deps.ts'
import { keepKey } from '../keys/keep-key.ts'
import { apiKeyName, workspaceKeyName } from '../keys/key-names.ts'
import { diskError } from '../settings/disk-error.ts'
import type { EmbeddedService } from './embedded-service.ts'
import { randomFraction } from './random-fraction.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspaceSession } from './workspace-session.ts'

export interface SessionDeps {
  app: Pick<AppDeps, 'now' | 'randomBytes' | 'log' | 'fetch'>
  info: WorkspaceInfo
  mirror: Mirror
  newId(): string
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** null: the workspace is on somebody's service. */
  service: EmbeddedService | null
  onChange(tables: Table[]): void
}

export interface RunningSession extends WorkspaceSession {
  /** Where the keys of this workspace are. */
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** Takes up keys, address and service as they are now; what did not change keeps running. Never rejects. */
  refresh(): Promise<void>
  /** Where the service is and the API key for it, also while there is no workspace key; null: not known now. */
  place(): Promise<{ baseUrl: string; apiKey: string } | null>
  wake(): void
  /** Stops sync and the embedded service, closes the database. */
  close(): Promise<void>
}

/** What runs while there are keys and an address. */
interface Running {
  workspaceKey: string
  apiKey: string
  baseUrl: string
  remote: Remote
  engine: Engine
  stop(): Promise<void>
}

type Found<T> = { value: T } | { problem: AppError }

/** Requests under way get this long to end by themselves when sync stops; their outcome is then known. */
const stopGraceMs = 1500
/** A service that keeps refusing the keys it makes is not asked for ever more of them. */
const mintLimit = 3

export const openSession = (deps: SessionDeps): RunningSession => {
  const { app, info, mirror, service } = deps
  let cipher: { key: string; cipher: WorkspaceCipher } | null = null
  let cipherProblem: AppError | null = { kind: 'keys-locked', message: 'The keys are still being fetched.' }
  let engineProblem: AppError | null = cipherProblem
  let running: Running | null = null
  let closed = false
  let minted = 0
  let work: Promise<void> = Promise.resolve()
  let unauthorized = false
  let apiKeyGone = false

  const readKey = async (store: Result<KeyStore, AppError>, name: string, missing: AppError): Promise<Found<string>> => {
    if (!store.ok) return { problem: store.error }
    const kept = await store.value.get(name)
    if (!kept.ok) return { problem: kept.error }
    return kept.value === null ? { problem: missing } : { value: kept.value }
  }

  const takeCipher = (found: Found<string>): void => {
    if ('problem' in found) {
      cipher = null
      cipherProblem = found.problem
      return
    }
    const key = parseWorkspaceKey(found.value)
    if (!key.ok) {
      cipher = null
      cipherProblem = workspaceErrors.keyMissing
      return
    }
    if (cipher?.key !== found.value) cipher = { key: found.value, cipher: createWorkspaceCipher(key.value) }
    cipherProblem = null
  }

  const mint = (): AppError => {
    if (minted < mintLimit) {
      minted += 1
      service?.mintKey()
    }
    return { kind: 'service-not-started', message: 'The service of this workspace is being given a new API key.' }
  }

  /** Address and API key of the embedded service; a key it made just now is kept first. */
  const findLocal = async (
    own: EmbeddedService,
    store: Result<KeyStore, AppError>,
  ): Promise<Found<{ baseUrl: string; apiKey: string }>> => {
    const state = own.state()
    if (state.child === null) return { problem: { kind: 'service-not-started', message: state.problem } }
    const kept = await readKey(store, apiKeyName(info.id), workspaceErrors.apiKeyMissing)
    const fresh = state.child.apiKey
    const { url } = state.child
    if ('problem' in kept && kept.problem !== workspaceErrors.apiKeyMissing) return kept
    if (fresh !== null && store.ok && !('value' in kept && kept.value === fresh)) {
      const saved = await keepKey(store.value, apiKeyName(info.id), fresh)
      return saved.ok ? { value: { baseUrl: url, apiKey: fresh } } : { problem: saved.error }
    }
    return 'value' in kept ? { value: { baseUrl: url, apiKey: kept.value } } : { problem: mint() }
  }

  const findService = async (store: Result<KeyStore, AppError>): Promise<Found<{ baseUrl: string; apiKey: string }>> => {
    if (service !== null) return findLocal(service, store)
    const apiKey = await readKey(store, apiKeyName(info.id), workspaceErrors.apiKeyMissing)
    if ('problem' in apiKey) return apiKey
    return { value: { baseUrl: info.baseUrl ?? '', apiKey: apiKey.value } }
  }

  const stopRunning = async (): Promise<void> => {
    const before = running
    running = null
    unauthorized = false
    await before?.stop()
  }

  /** A key the service does not know any more concerns the list of workspaces too; our own service gets a new one. */
  const watchAuthorization = (engine: Engine): void => {
    const now = engine.status().problem?.kind === 'unauthorized'
    if (running?.engine !== engine || now === unauthorized) return
    unauthorized = now
    deps.onChange(['workspaces'])
    if (!now || service === null) return
    mint()
  }

  const run = (workspaceKey: string, workspaceCipher: WorkspaceCipher, place: { baseUrl: string; apiKey: string }): Running => {
    const abort = new AbortController()
    const remote = createRemote({
      baseUrl: place.baseUrl,
      apiKey: () => place.apiKey,
      fetch: app.fetch,
      allowInsecure: info.allowInsecure,
      signal: abort.signal,
      now: app.now,
    })
    const engine: Engine = createEngine({
      mirror,
      remote,
      cipher: workspaceCipher,
      remoteWorkspaceId: info.remoteId,
      now: app.now,
      random: () => randomFraction(app.randomBytes),
      newId: deps.newId,
      log: app.log,
      onChange: (tables) => {
        deps.onChange([...tables])
        if (tables.includes('sync')) watchAuthorization(engine)
      },
    })
    const stop = async () => {
      const deadline = setTimeout(() => abort.abort(), stopGraceMs)
      await engine.stop()
      clearTimeout(deadline)
      abort.abort()
    }
    return { ...place, workspaceKey, remote, engine, stop }
  }

  const step = async (): Promise<void> => {
    if (closed) return
    const store = await deps.keyStore()
    takeCipher(await readKey(store, workspaceKeyName(info.id), workspaceErrors.keyMissing))
    const place = await findService(store)
    apiKeyGone = 'problem' in place && isGone(place.problem)
    if (cipher === null || 'problem' in place) {
      engineProblem = cipherProblem ?? ('problem' in place ? place.problem : null)
      await stopRunning()
      return
    }
    const { baseUrl, apiKey } = place.value
    const same = running?.workspaceKey === cipher.key && running.apiKey === apiKey && running.baseUrl === baseUrl
    engineProblem = null
    if (same) return
    await stopRunning()
    running = run(cipher.key, cipher.cipher, place.value)
    running.engine.start()
  }

  const failed = async (error: unknown): Promise<void> => {
    app.log('error', 'A workspace could not take up its keys', { name: error instanceof Error ? error.name : typeof error })
    const message = 'Sync could not be started. Close Holdfast and start it again; your edits are kept.'
    engineProblem = diskError(error, dirname(mirror.file)) ?? { kind: 'service-not-started', message }
    await stopRunning()
  }

  const refresh = (): Promise<void> => {
    work = work.then(step).catch(failed)
    return work.then(() => {
      if (!closed) deps.onChange(['app', 'workspaces', 'sync', 'variables'])
    })
  }

  const needs = (): ('api-key' | 'workspace-key')[] => {
    const apiKey = service === null && (unauthorized || apiKeyGone)
    const workspaceKey = cipherProblem !== null && isGone(cipherProblem)
    return [...(apiKey ? (['api-key'] as const) : []), ...(workspaceKey ? (['workspace-key'] as const) : [])]
  }

  return {
    id: info.id,
    info,
    mirror,
    get cipher() {
      return cipher?.cipher ?? null
    },
    get cipherProblem() {
      return cipherProblem
    },
    get remote() {
      return running?.remote ?? null
    },
    get engine() {
      return running?.engine ?? null
    },
    get engineProblem() {
      return engineProblem
    },
    needs,
    keyStore: deps.keyStore,
    refresh,
    async place() {
      const place = await findService(await deps.keyStore())
      return 'value' in place ? place.value : null
    },
    wake() {
      service?.wake()
      running?.engine.wake()
    },
    async close() {
      closed = true
      await work
      await stopRunning()
      cipher = null
      cipherProblem = workspaceErrors.notFound
      await service?.stop()
      mirror.close()
    },
  }
}

/** Whether a key has to be supplied again, as opposed to unlocked. */
const isGone = (problem: AppError): boolean =>
  problem.kind === 'keys-unchosen' || problem.kind === 'workspace-key-missing' || problem === workspaceErrors.apiKeyMissing
