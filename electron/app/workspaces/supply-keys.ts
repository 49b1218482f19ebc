import type { AppError } from '../../bridge/app-error.ts'
import type { Commands } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { wipeKey } from '../../cipher/key-object.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { formatWorkspaceKey, parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import { valuesAfter } from '../../mirror/reads/values-after.ts'
import type { Remote } from '../../remote/remote.ts'
import { inSlices } from '../in-slices.ts'
import { cancelled } from '../jobs.ts'
import { workspaceKeyName } from '../keys/key-names.ts'
import { keysOfEntry } from '../keys/workspace-key-entry.ts'
import { findSealedValue } from './find-sealed-value.ts'
import { keepApiKey, keepWorkspaceKey } from './new-workspace.ts'
import type { RunningSession } from './open-session.ts'
import { opensStored, opensWith } from './opens-value.ts'
import { ownRemote, wrongWorkspace } from './own-remote.ts'
import { reachService } from './reach-service.ts'
import { remoteAppError } from './remote-app-error.ts'
import { cipherOfEntry } from './session-cipher.ts'
import { keyOpensFewer, workspaceErrors } from './workspace-errors.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

export interface SupplyArgs {
  workspaceId: string
  apiKey?: string | undefined
  workspaceKey?: string | undefined
  /** Whether the user confirms that no value is sealed yet. Needed if no value exists to try the key on. */
  confirmNoValues?: boolean | undefined
}

/** How many values are tried before other work gets a turn. */
const slice = 200

/**
 * Counts the values of the mirror (`total`), those that `key` opens (`opened`), and those that the `present` key opens (`before`). Without a
 * present key, unsent edits count too.
 */
async function countOpened({ mirror, info }: RunningSession, key: WorkspaceCipher, present: WorkspaceCipher | null) {
  const counts = { total: 0, opened: 0, before: 0 }
  await inSlices(async (after) => {
    const rows = await valuesAfter(mirror, after, slice)
    for (const { sealed, base, name, environmentId } of rows) {
      const stored = present === null ? sealed : base
      if (stored === null) continue
      const place = name === null || environmentId === null ? null : { name, environmentId }
      const isOpenedBy = (cipher: WorkspaceCipher) => opensStored(cipher, info.remoteId, stored, place)
      counts.total += 1
      if (isOpenedBy(key)) counts.opened += 1
      if (present !== null && isOpenedBy(present)) counts.before += 1
    }
    return rows
  })
  return counts
}

/**
 * Accepts a workspace key that opens a value of the mirror, and no fewer than the present one. If the mirror has no value, it must open one
 * of the service. If that has none either, the user has to confirm. The present key still opens what it sealed; if there is none, unsent
 * edits count as values, because no other key opens them.
 */
const checkWorkspaceKey = async (
  session: RunningSession,
  remote: Remote | null,
  key: WorkspaceCipher,
  present: WorkspaceCipher | null,
  isConfirmed: boolean,
): Promise<Result<null, AppError>> => {
  const unlessConfirmed = isConfirmed ? ok(null) : err(workspaceErrors.keyUnconfirmed)
  const { total, opened, before } = await countOpened(session, key, present)
  if (total > 0 && opened === 0) return err(workspaceErrors.keyWrong)
  if (opened < before) return err(keyOpensFewer(opened, before))
  if (total > 0) return ok(null)
  if (remote === null) return unlessConfirmed
  // A value of another workspace proves nothing about the key of this one.
  const own = await ownRemote({ info: session.info, remote, engineProblem: null })
  if (!own.ok) return own
  const search = await findSealedValue(remote)
  if (!search.ok) return err(remoteAppError(search.error))
  const { found } = search.value
  if (found !== null) return opensWith(key, session.info.remoteId, found) !== null ? ok(null) : err(workspaceErrors.keyWrong)
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

type Supplied = Commands['workspaces.supply-keys']['value']

/** Replaces lost or refused keys. Both are checked before either is stored. Once `signal` is aborted, it stores neither. */
export const supplyKeys = async (
  context: WorkspacesContext,
  args: SupplyArgs,
  signal: AbortSignal,
): Promise<Result<Supplied, AppError>> => {
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

/** Like `checkWorkspaceKey`, with the keys themselves. */
const checkReplacing = async (
  session: RunningSession,
  remote: Remote | null,
  key: Uint8Array,
  presentText: string | undefined,
  isConfirmed: boolean,
): Promise<Result<null, AppError>> => {
  const cipher = createWorkspaceCipher(Uint8Array.from(key))
  const present = presentText === undefined ? null : cipherOfEntry(presentText)
  try {
    return await checkWorkspaceKey(session, remote, cipher, present, isConfirmed)
  } finally {
    cipher.wipe()
    present?.wipe()
  }
}

const checkAndKeep = async (
  context: WorkspacesContext,
  { workspaceId, apiKey, confirmNoValues = false }: SupplyArgs,
  key: Uint8Array | null,
  signal: AbortSignal,
): Promise<Result<Supplied, AppError>> => {
  const opened = await context.sessions.get(workspaceId)
  if (!opened.ok) return opened
  const session = opened.value
  const store = await context.keys.storeForNewKeys()
  if (!store.ok) return store

  const reached =
    apiKey === undefined ? ok(await currentRemote(context, session, signal)) : await checkApiKey(context, session, apiKey, signal)
  if (!reached.ok) return reached
  const entry = await store.value.get(workspaceKeyName(workspaceId))
  if (!entry.ok) return entry
  const held = entry.value === null ? [] : keysOfEntry(entry.value)
  const accepted = key === null ? ok(null) : await checkReplacing(session, reached.value, key, held[0], confirmNoValues)
  if (!accepted.ok) return accepted
  if (signal.aborted) return err(cancelled)

  // In one write with the former keys, before anything is sealed with the new one: a crash comes before or after it. The database needs no
  // write now. Whatever sealed a value, the entry has its key.
  const keptKey = key === null ? ok(null) : await keepWorkspaceKey(store.value, workspaceId, key, held)
  if (!keptKey.ok) return keptKey
  const { baseUrl } = session.info
  if (apiKey !== undefined && baseUrl !== null) {
    const kept = await keepApiKey(store.value, workspaceId, apiKey.trim(), baseUrl)
    if (!kept.ok) return kept
  }
  await session.refresh()
  session.wake()
  return ok({ isSameKey: key !== null && held[0] === formatWorkspaceKey(key) })
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
