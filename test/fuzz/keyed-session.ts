import { apiKeyName, workspaceKeyName } from '../../electron/app/keys/key-names.ts'
import { keysHandlers } from '../../electron/app/keys/keys-handlers.ts'
import type { KeysManager } from '../../electron/app/keys/keys-manager.ts'
import type { AppContext } from '../../electron/app/app-context.ts'
import type { Handlers } from '../../electron/app/handlers.ts'
import type { RunningSession } from '../../electron/app/workspaces/open-session.ts'
import { supplyKeys } from '../../electron/app/workspaces/supply-keys.ts'
import { workspaceErrors } from '../../electron/app/workspaces/workspace-errors.ts'
import type { WorkspacesContext } from '../../electron/app/workspaces/workspaces-context.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import { ok, type Result } from '../../electron/bridge/result.ts'
import type { TestClient } from '../support/build-client.ts'
import { workspaceId } from '../support/desk.ts'

type KeyHandlers = Pick<Handlers, 'keys.lock' | 'keys.unlock' | 'keys.choose' | 'workspaces.supply-keys'>

/** The keys of one run of the application: found at its start, hidden, asked for again, supplied. */
export interface KeyedSession {
  readonly handlers: KeyHandlers
  /** Why values cannot be read now, or null. */
  cipherProblem(): AppError | null
  /** Whether there is all that sync needs. */
  canSync(): boolean
  /** Resolves when the keys that were there at the start are taken up. */
  readonly ready: Promise<void>
}

const apiKeyGone: AppError = workspaceErrors.apiKeyMissing

/** `takeApiKey`: the key to ask the service with from now on. */
export function openKeyedSession(client: TestClient, keys: KeysManager, takeApiKey: (key: string) => void): KeyedSession {
  let cipherProblem: AppError | null = { kind: 'keys-locked', message: 'The keys are still being fetched.' }
  let apiKeyProblem: AppError | null = cipherProblem

  /** As an open workspace takes up keys: what is missing is told, what is there is used. */
  const refresh = async (): Promise<void> => {
    const store = await keys.store()
    const find = async (name: string, missing: AppError): Promise<Result<string, AppError>> => {
      if (!store.ok) return store
      const kept = await store.value.get(name)
      if (!kept.ok) return kept
      return kept.value === null ? { ok: false, error: missing } : ok(kept.value)
    }
    const key = await find(workspaceKeyName(workspaceId), workspaceErrors.keyMissing)
    cipherProblem = key.ok ? null : key.error
    const apiKey = await find(apiKeyName(workspaceId), apiKeyGone)
    apiKeyProblem = apiKey.ok ? null : apiKey.error
    if (apiKey.ok) takeApiKey(apiKey.value)
  }

  const session = {
    info: { baseUrl: client.url, allowInsecure: false, remoteId: client.workspaceId },
    get mirror() {
      return client.mirror
    },
    get remote() {
      return cipherProblem === null && apiKeyProblem === null ? client.remote : null
    },
    access: async () => null,
    refresh,
    wake: () => undefined,
  } satisfies Partial<Record<keyof RunningSession, unknown>>
  const context = {
    app: { fetch: client.fetch, now: client.now },
    keys,
    sessions: { get: async () => ok(session) },
    // What supplying keys never reaches for is not there.
  } as unknown as WorkspacesContext
  const app = { keys, workspaces: { refreshKeys: refresh } } as unknown as AppContext
  const { 'keys.lock': lock, 'keys.unlock': unlock, 'keys.choose': choose } = keysHandlers(app)
  return {
    handlers: {
      'keys.lock': lock,
      'keys.unlock': unlock,
      'keys.choose': choose,
      'workspaces.supply-keys': (args) => supplyKeys(context, args, AbortSignal.any([])),
    },
    cipherProblem: () => cipherProblem,
    canSync: () => cipherProblem === null && apiKeyProblem === null,
    ready: refresh(),
  }
}
