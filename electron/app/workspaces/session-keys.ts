import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import { keepKey } from '../keys/keep-key.ts'
import { apiKeyName, workspaceKeyName } from '../keys/key-names.ts'
import type { EmbeddedService } from './embedded-service.ts'
import type { ServicePlace } from './start-sync.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/** What a session looks for, or why it is not there now. */
export type Found<T> = { value: T } | { problem: AppError }

type Store = Result<KeyStore, AppError>

const readKey = async (store: Store, name: string, missing: AppError): Promise<Found<string>> => {
  if (!store.ok) return { problem: store.error }
  const kept = await store.value.get(name)
  if (!kept.ok) return { problem: kept.error }
  return kept.value === null ? { problem: missing } : { value: kept.value }
}

/** The workspace key as text. */
export const findWorkspaceKey = (store: Store, id: string): Promise<Found<string>> =>
  readKey(store, workspaceKeyName(id), workspaceErrors.keyMissing)

/** Somebody's service, and the API key for it. */
export const findRemotePlace = async (store: Store, { id, baseUrl }: WorkspaceInfo): Promise<Found<ServicePlace>> => {
  const apiKey = await readKey(store, apiKeyName(id), workspaceErrors.apiKeyMissing)
  return 'problem' in apiKey ? apiKey : { value: { baseUrl: baseUrl ?? '', apiKey: apiKey.value } }
}

/** The embedded service, and the API key for it; one that it made just now is kept first. `mint` is asked for a new key where there is none. */
export const findLocalPlace = async (
  store: Store,
  id: string,
  service: EmbeddedService,
  mint: () => AppError,
): Promise<Found<ServicePlace>> => {
  const state = service.state()
  if (state.child === null) return { problem: { kind: 'service-not-started', message: state.problem } }
  const { url: baseUrl, apiKey: fresh } = state.child
  const kept = await readKey(store, apiKeyName(id), workspaceErrors.apiKeyMissing)
  if ('problem' in kept && kept.problem !== workspaceErrors.apiKeyMissing) return kept
  if (fresh !== null && store.ok && !('value' in kept && kept.value === fresh)) {
    const saved = await keepKey(store.value, apiKeyName(id), fresh)
    return saved.ok ? { value: { baseUrl, apiKey: fresh } } : { problem: saved.error }
  }
  return 'value' in kept ? { value: { baseUrl, apiKey: kept.value } } : { problem: mint() }
}

/** Whether a key has to be supplied again, as opposed to unlocked. */
export const isGone = (problem: AppError): boolean =>
  problem.kind === 'keys-unchosen' || problem.kind === 'workspace-key-missing' || problem === workspaceErrors.apiKeyMissing
