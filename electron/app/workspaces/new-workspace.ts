import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { formatWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import { apiKeyEntry } from '../keys/api-key-entry.ts'
import { keepKey } from '../keys/keep-key.ts'
import { apiKeyName, workspaceKeyName } from '../keys/key-names.ts'
import { workspaceKeyEntry } from '../keys/workspace-key-entry.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import { diskError } from '../settings/disk-error.ts'
import { workspacePaths } from './workspace-folders.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

/** Stores a workspace's key, with its former ones, and reads it back. Call it before sealing anything with the key. */
export const keepWorkspaceKey = (
  store: KeyStore,
  id: string,
  key: Uint8Array,
  former: readonly string[] = [],
): Promise<Result<null, AppError>> => keepKey(store, workspaceKeyName(id), workspaceKeyEntry(formatWorkspaceKey(key), former))

/** Stores the API key of a workspace, for the address of its service, and reads it back. */
export const keepApiKey = (store: KeyStore, id: string, apiKey: string, baseUrl: string): Promise<Result<null, AppError>> =>
  keepKey(store, apiKeyName(id), apiKeyEntry(apiKey, baseUrl))

/** Deletes a workspace's keys. Call it once the workspace is removed: a keychain keeps the keys of a workspace that a data folder has. */
export const forgetKeys = async (store: KeyStore, id: string): Promise<Result<null, AppError>> => {
  const workspaceKey = await store.delete(workspaceKeyName(id))
  const apiKey = await store.delete(apiKeyName(id))
  return workspaceKey.ok ? apiKey : workspaceKey
}

/**
 * Creates a workspace. First comes the key, then `fill` (it may write to the folder, and returns the rest of the info), then the database,
 * and `workspace.json` last: a crash leaves either a complete workspace or a folder that the next start removes. A failure leaves nothing.
 */
export const makeWorkspace = async (
  context: WorkspacesContext,
  store: KeyStore,
  key: Uint8Array,
  fill: (id: string, folder: string) => Promise<Result<Omit<WorkspaceInfo, 'id' | 'createdAt'>, AppError>>,
): Promise<Result<WorkspaceInfo, AppError>> => {
  const { app, folders } = context
  const id = context.newId()
  const undo = async (reason: AppError): Promise<Result<never, AppError>> => {
    await folders.remove(id).catch(() => undefined)
    await forgetKeys(store, id)
    return err(reason)
  }
  try {
    await folders.begin(id)
    const kept = await keepWorkspaceKey(store, id, key)
    if (!kept.ok) return await undo(kept.error)
    const filled = await fill(id, folders.pathOf(id))
    if (!filled.ok) return await undo(filled.error)
    // Create the database now: once the workspace exists, a missing database counts as lost.
    const mirror = openMirror(workspacePaths(folders.pathOf(id)).mirror)
    if (!mirror.ok) return await undo(mirror.error)
    mirror.value.close()
    const info: WorkspaceInfo = { id, ...filled.value, createdAt: new Date(app.now()).toISOString() }
    await folders.complete(info)
    return ok(info)
  } catch (error) {
    const known = diskError(error, app.dataDir)
    if (known === null) throw error
    return undo(known)
  }
}
