import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import { apiKeyFor } from '../keys/api-key-entry.ts'
import { apiKeyName, workspaceKeyName } from '../keys/key-names.ts'
import type { ServiceAccess } from './start-sync.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/** A key that a session needs, or why it can't be read now. */
export type Found<T> = { value: T } | { problem: AppError }

type Store = Result<KeyStore, AppError>

const readKey = async (store: Store, name: string, missing: AppError): Promise<Found<string>> => {
  if (!store.ok) return { problem: store.error }
  const kept = await store.value.get(name)
  if (!kept.ok) return { problem: kept.error }
  return kept.value === null ? { problem: missing } : { value: kept.value }
}

export const findWorkspaceKey = (store: Store, id: string): Promise<Found<string>> =>
  readKey(store, workspaceKeyName(id), workspaceErrors.keyMissing)

export const findServiceAccess = async (
  store: Store,
  { id, baseUrl }: WorkspaceInfo,
  fetchRemote: typeof fetch,
): Promise<Found<ServiceAccess>> => {
  const entry = await readKey(store, apiKeyName(id), workspaceErrors.apiKeyMissing)
  if ('problem' in entry) return entry
  if (baseUrl === null) throw new Error('a remote workspace has no address')
  const apiKey = apiKeyFor(baseUrl, entry.value)
  return apiKey === null ? { problem: workspaceErrors.apiKeyMissing } : { value: { baseUrl, apiKey, fetch: fetchRemote } }
}

/** Whether a key is missing, rather than locked: the user has to enter it again. */
export const isKeyMissing = (problem: AppError): boolean =>
  problem.kind === 'keys-unchosen' || problem.kind === 'workspace-key-missing' || problem === workspaceErrors.apiKeyMissing
