import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { FoundWorkspace } from '../../bridge/rows.ts'
import { wipeKey } from '../../cipher/key-object.ts'
import { formatWorkspaceKey, generateWorkspaceKey, parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { Remote } from '../../remote/remote.ts'
import { cancelled } from '../jobs.ts'
import { findSealedValue } from './find-sealed-value.ts'
import { keepApiKey, makeWorkspace } from './new-workspace.ts'
import { opensShown } from './opens-value.ts'
import { reachService, type Reached } from './reach-service.ts'
import { remoteAppError } from './remote-app-error.ts'
import { supplyKeys } from './supply-keys.ts'
import { workspaceErrors } from './workspace-errors.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

export interface ConnectArgs {
  baseUrl: string
  apiKey: string
  allowInsecure: boolean
  workspaceKey: string | null
  confirmNoValues: boolean
}

type Connected = { workspaceId: string; recoveryKey: string | null }

/** Returns the typed key, or a new one. */
const chooseKey = (context: WorkspacesContext, text: string | null): Result<Uint8Array, AppError> =>
  text === null ? ok(generateWorkspaceKey(context.app.randomBytes)) : parseWorkspaceKey(text)

/**
 * Accepts a key that opens an existing value, or that the user confirms because no value exists. Returns which values the workspace
 * accepts: only bound values if the first value is bound, or if Holdfast will write the first one.
 */
const checkKey = async (
  { remote, workspace }: Reached,
  key: Uint8Array,
  args: ConnectArgs,
): Promise<Result<WorkspaceInfo['values'], AppError>> => {
  const search = await findSealedValue(remote)
  if (!search.ok) return err(remoteAppError(search.error))
  const { found, complete } = search.value
  if (found === null) {
    if (!args.confirmNoValues) return err(workspaceErrors.keyUnconfirmed)
    const profile = complete ? await remote.findProfile() : null
    // Only Holdfast writes to a service with the change feed; other services have other clients.
    return ok(profile?.ok === true && profile.value.kind === 'full' ? 'bound' : undefined)
  }
  if (args.workspaceKey === null) return err(workspaceErrors.keyNeeded)
  const opened = opensShown(key, workspace.id, found)
  if (opened === null) return err(workspaceErrors.keyWrong)
  return ok(opened === 'bound' ? 'bound' : undefined)
}

/** Finds the workspace of this computer with the same id on its service: the one at this address, else the first one. */
const findKnown = async ({ folders }: WorkspacesContext, { workspace, baseUrl }: Reached): Promise<FoundWorkspace['known']> => {
  const same = (await folders.list()).flatMap((entry) => ('info' in entry && entry.info.remoteId === workspace.id ? entry.info : []))
  const here = same.find((info) => info.baseUrl === baseUrl)
  const found = here ?? same[0]
  return found === undefined ? null : { workspaceId: found.id, baseUrl: found.baseUrl, isHere: here !== undefined }
}

/**
 * Connects to a workspace of a service and opens it. If it is connected already, replaces its keys. `recoveryKey`: set if the key was
 * generated, because nobody has it yet. Once `signal` is aborted, it saves nothing.
 */
export const connectService = async (
  context: WorkspacesContext,
  args: ConnectArgs,
  signal: AbortSignal,
): Promise<Result<Connected, AppError>> => {
  const key = chooseKey(context, args.workspaceKey)
  if (!key.ok) return key
  try {
    return await connectWith(context, args, key.value, signal)
  } finally {
    wipeKey(key.value)
  }
}

const connectWith = async (
  context: WorkspacesContext,
  args: ConnectArgs,
  key: Uint8Array,
  signal: AbortSignal,
): Promise<Result<Connected, AppError>> => {
  const store = await context.keys.storeForNewKeys()
  if (!store.ok) return store
  const reached = await reachService(context.app, args, signal)
  if (!reached.ok) return reached
  const { baseUrl, apiKey, workspace } = reached.value

  const known = await findKnown(context, reached.value)
  if (known?.isHere === true) {
    const { workspaceId } = known
    const { workspaceKey, confirmNoValues } = args
    const supplied = await supplyKeys(context, { workspaceId, apiKey, workspaceKey: workspaceKey ?? undefined, confirmNoValues }, signal)
    return supplied.ok ? ok({ workspaceId, recoveryKey: null }) : supplied
  }

  const accepted = await checkKey(reached.value, key, args)
  if (!accepted.ok) return accepted
  if (signal.aborted) return err(cancelled)
  const made = await makeWorkspace(context, store.value, key, async (id) => {
    const kept = await keepApiKey(store.value, id, apiKey, baseUrl)
    if (!kept.ok) return kept
    const { allowInsecure } = args
    return ok({ kind: 'remote', name: workspace.name, baseUrl, remoteId: workspace.id, allowInsecure, values: accepted.value })
  })
  if (!made.ok) return made
  const opened = await context.sessions.get(made.value.id)
  if (!opened.ok) return opened
  return ok({ workspaceId: made.value.id, recoveryKey: args.workspaceKey === null ? formatWorkspaceKey(key) : null })
}

/** Reads the workspace of a service, and saves nothing. */
export const probeService = async (
  context: WorkspacesContext,
  args: { baseUrl: string; apiKey: string; allowInsecure: boolean },
  signal: AbortSignal,
): Promise<Result<FoundWorkspace, AppError>> => {
  const reached = await reachService(context.app, args, signal)
  if (!reached.ok) return reached
  const { remote, workspace } = reached.value
  const known = await findKnown(context, reached.value)
  const search = await findSealedValue(remote)
  if (!search.ok) return err(remoteAppError(search.error))
  const { found, complete, isEmpty } = search.value
  if (found !== null) return ok({ name: workspace.name, hasValues: true, isUnused: false, known })
  const isUnused = complete && isEmpty && (await hasOneMember(remote)) && (await hasDeletedNothing(remote))
  return ok({ name: workspace.name, hasValues: complete ? false : null, isUnused, known })
}

const hasOneMember = async (remote: Remote): Promise<boolean> => {
  const members = await remote.listMembers(null)
  return members.ok && members.value.items.length === 1 && members.value.nextCursor === null
}

const hasDeletedNothing = async (remote: Remote): Promise<boolean> => {
  const deleted = await remote.listDeleted(null)
  return deleted.ok && deleted.value.items.length === 0
}
