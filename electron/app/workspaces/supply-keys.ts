import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { wipeKey } from '../../cipher/key-object.ts'
import { parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Remote } from '../../remote/remote.ts'
import { cancelled } from '../jobs.ts'
import { findSealedValue } from './find-sealed-value.ts'
import { keepApiKey, keepWorkspaceKey } from './new-workspace.ts'
import type { RunningSession } from './open-session.ts'
import { opensShown, opensStored } from './opens-value.ts'
import { ownRemote, wrongWorkspace } from './own-remote.ts'
import { reachService } from './reach-service.ts'
import { remoteAppError } from './remote-app-error.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

export interface SupplyArgs {
  workspaceId: string
  apiKey?: string | undefined
  workspaceKey?: string | undefined
  /** Whether the user confirms that no value is sealed yet. Needed if no value exists to try the key on. */
  confirmNoValues?: boolean | undefined
}

/** How many values to try a key on, newest rows first. Others may have sealed some under another key. */
const triedValues = 200

const mirroredValues = async ({ read }: Mirror): Promise<string[]> => {
  const rows = await read
    // Includes unsent edits, which a key that doesn't open them would make unreadable.
    .selectFrom('working')
    .select('sealed')
    .where('sealed', 'is not', null)
    .orderBy('id', 'desc')
    .limit(triedValues)
    .execute()
  return rows.flatMap((row) => row.sealed ?? [])
}

/**
 * Accepts a workspace key that opens a value of the mirror. If the mirror has no value, it must open one of the service. If that has none
 * either, the user has to confirm.
 */
const checkWorkspaceKey = async (
  session: RunningSession,
  remote: Remote | null,
  key: Uint8Array,
  isConfirmed: boolean,
): Promise<Result<null, AppError>> => {
  const unlessConfirmed = isConfirmed ? ok(null) : err(workspaceErrors.keyUnconfirmed)
  const mirrored = await mirroredValues(session.mirror)
  if (mirrored.length > 0) return mirrored.some((stored) => opensStored(key, stored)) ? ok(null) : err(workspaceErrors.keyWrong)
  if (remote === null) return unlessConfirmed
  // A value of another workspace proves nothing about the key of this one.
  const own = await ownRemote({ info: session.info, remote, engineProblem: null })
  if (!own.ok) return own
  const search = await findSealedValue(remote)
  if (!search.ok) return err(remoteAppError(search.error))
  const { found } = search.value
  if (found !== null) return opensShown(key, session.info.remoteId, found) !== null ? ok(null) : err(workspaceErrors.keyWrong)
  return unlessConfirmed
}

/**
 * Accepts an API key that opens the same workspace of the same service. With another key, every unsent edit would be sent to the wrong
 * workspace.
 */
const checkApiKey = async (
  context: WorkspacesContext,
  session: RunningSession,
  apiKey: string,
  signal: AbortSignal,
): Promise<Result<Remote, AppError>> => {
  const { baseUrl, allowInsecure, remoteId } = session.info
  if (baseUrl === null) return err(workspaceErrors.apiKeyNotTaken)
  const reached = await reachService(context.app, { baseUrl, apiKey, allowInsecure }, signal)
  if (!reached.ok) return reached
  const { workspace, remote } = reached.value
  if (workspace.id === remoteId) return ok(remote)
  return err(wrongWorkspace(workspace))
}

/** Replaces lost or refused keys. Both are checked before either is stored. Once `signal` is aborted, it stores neither. */
export const supplyKeys = async (context: WorkspacesContext, args: SupplyArgs, signal: AbortSignal): Promise<Result<null, AppError>> => {
  const { apiKey, workspaceKey } = args
  if (apiKey === undefined && workspaceKey === undefined) return err(workspaceErrors.nothingSupplied)
  const key = workspaceKey === undefined ? ok(null) : parseWorkspaceKey(workspaceKey)
  if (!key.ok) return key
  try {
    return await checkAndKeep(context, args, key.value, signal)
  } finally {
    if (key.value !== null) wipeKey(key.value)
  }
}

const checkAndKeep = async (
  context: WorkspacesContext,
  { workspaceId, apiKey, confirmNoValues = false }: SupplyArgs,
  key: Uint8Array | null,
  signal: AbortSignal,
): Promise<Result<null, AppError>> => {
  const opened = await context.sessions.get(workspaceId)
  if (!opened.ok) return opened
  const session = opened.value
  const store = await context.keys.storeForNewKeys()
  if (!store.ok) return store

  const reached =
    apiKey === undefined ? ok(await currentRemote(context, session, signal)) : await checkApiKey(context, session, apiKey, signal)
  if (!reached.ok) return reached
  const accepted = key === null ? ok(null) : await checkWorkspaceKey(session, reached.value, key, confirmNoValues)
  if (!accepted.ok) return accepted
  if (signal.aborted) return err(cancelled)

  const keptKey = key === null ? ok(null) : await keepWorkspaceKey(store.value, workspaceId, key)
  if (!keptKey.ok) return keptKey
  const { baseUrl } = session.info
  if (apiKey !== undefined && baseUrl !== null) {
    const kept = await keepApiKey(store.value, workspaceId, apiKey.trim(), baseUrl)
    if (!kept.ok) return kept
  }
  await session.refresh()
  session.wake()
  return ok(null)
}

/** Returns a client with the stored API key, or null. The session's own client is null without a workspace key. */
const currentRemote = async (context: WorkspacesContext, session: RunningSession, signal: AbortSignal): Promise<Remote | null> => {
  if (session.remote !== null) return session.remote
  const access = await session.access()
  if (access === null) return null
  const reached = await reachService(
    { ...context.app, fetch: access.fetch },
    { ...access, allowInsecure: session.info.allowInsecure },
    signal,
  )
  return reached.ok ? reached.value.remote : null
}
