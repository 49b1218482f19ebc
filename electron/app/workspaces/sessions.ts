import { setTimeout as rest } from 'node:timers/promises'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { AppError } from '../../bridge/app-error.ts'
import type { Push } from '../../bridge/contract.ts'
import type { KeyStore } from '../../keychain/key-store.ts'
import { isBaseEmpty } from '../../mirror/base-layer.ts'
import { isMirrorWhole } from '../../mirror/is-mirror-whole.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import type { AppDeps } from '../app-deps.ts'
import { askThread } from '../ask-thread.ts'
import { leaveWork, settleWork } from '../edits/unfinished-work.ts'
import { diskError } from '../settings/disk-error.ts'
import { traceOf } from '../trace-of.ts'
import { workerFile } from '../worker-file.ts'
import { atMost } from '../settings/at-most.ts'
import { createLocalService } from './local-service.ts'
import { openSession, type RunningSession, type SessionDeps } from './open-session.ts'
import { workspaceErrors } from './workspace-errors.ts'
import { workspacePaths, type WorkspaceFolders } from './workspace-folders.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

export interface SessionsDeps {
  app: AppDeps
  folders: WorkspaceFolders
  newId(): string
  emit(push: Push): void
  pollMs(): number
  keyStore(): Promise<Result<KeyStore, AppError>>
  /** Called when sync finds the database of a workspace damaged. */
  onDamaged(id: string): void
}

/** All that opening a workspace needs: its files, and the store of its keys. */
export interface OpenPlan {
  info: WorkspaceInfo
  folder: string
  keyStore(): Promise<Result<KeyStore, AppError>>
}

/** The open workspaces. Each is opened once, and shared. */
export interface Sessions {
  /** Opens a workspace of `workspaces/` on first use. */
  get(id: string): Promise<Result<RunningSession, AppError>>
  open(plan: OpenPlan): Promise<Result<RunningSession, AppError>>
  /** Returns the session; null: it is not open. */
  opened(id: string): RunningSession | null
  /** Makes every open workspace read its keys again, after keys were added, removed, locked or unlocked. */
  refreshAll(): Promise<void>
  wake(): void
  /** Closes a workspace that is being removed or repaired. Later queries of the page don't open it again. */
  retire(id: string, why?: AppError): Promise<void>
  /** Allows a retired workspace to be opened again. */
  reinstate(id: string): void
  /** Why a workspace must not be opened now, or null. */
  retiredFor(id: string): AppError | null
  /** Makes the next open of this workspace check its whole database first. */
  suspect(id: string): void
  isSuspected(id: string): boolean
  /** While a workspace opens, the share of an interrupted import that is already undone; null: it waits for none. */
  undoing(id: string): number | null
  closeAll(): Promise<void>
}

/** How long opening waits for keys. If a keychain asks the user, this takes longer, and queries answer `keys-locked` until then. */
const keysWaitMs = 1500

/** How long interrupted work is undone without a word: a screen that comes and goes at once can't be read. */
const undoingQuietMs = 300

export const createSessions = (deps: SessionsDeps): Sessions => {
  const opening = createOpening()
  const running = new Map<string, RunningSession>()
  const retired = new Map<string, AppError>()
  const suspected = new Set<string>()
  const openedBefore = new Set<string>()
  const undoing = new Map<string, number>()
  let closing = false

  const openNow = async (plan: OpenPlan): Promise<Result<RunningSession, AppError>> => {
    const { id } = plan.info
    const isReopened = openedBefore.has(id)
    const began = performance.now()
    const onUndoing = (done: number) => {
      if (performance.now() - began < undoingQuietMs) return
      undoing.set(id, done)
      deps.emit({ push: 'changed', workspaceId: id, tables: ['workspaces'] })
    }
    const session = await sessionOf(deps, plan, { thorough: suspected.has(id), isReopened, onUndoing }).finally(() => {
      if (undoing.delete(id)) deps.emit({ push: 'changed', workspaceId: id, tables: ['workspaces'] })
    })
    if (!session.ok) return session
    suspected.delete(id)
    openedBefore.add(id)
    running.set(id, session.value)
    await atMost(session.value.refresh(), keysWaitMs)
    return session
  }

  const open = (plan: OpenPlan): Promise<Result<RunningSession, AppError>> => {
    const { id } = plan.info
    const away = closing ? workspaceErrors.notFound : retired.get(id)
    return opening.once(id, () => (away === undefined ? openNow(plan) : Promise.resolve(err(away))))
  }

  const close = async (id: string): Promise<void> => {
    await opening.get(id)?.catch(() => undefined)
    const session = running.get(id)
    opening.forget(id)
    running.delete(id)
    await session?.close()
  }

  return {
    async get(id) {
      const already = opening.get(id)
      if (already !== undefined) return already
      const plan = await findPlan(deps, id)
      return plan.ok ? open(plan.value) : plan
    },
    open,
    opened: (id) => running.get(id) ?? null,
    refreshAll: async () => {
      await Promise.all([...running.values()].map((session) => session.refresh()))
    },
    wake() {
      for (const session of running.values()) session.wake()
    },
    async retire(id, why = workspaceErrors.notFound) {
      retired.set(id, why)
      await close(id)
    },
    reinstate: (id) => void retired.delete(id),
    retiredFor: (id) => retired.get(id) ?? null,
    suspect: (id) => void suspected.add(id),
    isSuspected: (id) => suspected.has(id),
    undoing: (id) => undoing.get(id) ?? null,
    async closeAll() {
      closing = true
      await Promise.all([...new Set([...opening.ids(), ...running.keys()])].map(close))
    },
  }
}

/**
 * Undoes work that was left unfinished, before it is shown or sent. If the disk is full or the database damaged, the workspace must not open:
 * that work would look like something that the user did. What can't be undone for another reason stays, and is told.
 */
async function settleKilled(
  { app, newId }: SessionsDeps,
  mirror: Mirror,
  onUndoing: Opening['onUndoing'],
): Promise<Result<null, AppError>> {
  const undo = () => settleWork(mirror, { now: app.now(), newId }, onUndoing)
  for (const attempt of [undo, async () => mirror.write(leaveWork)]) {
    try {
      await attempt()
      break
    } catch (error) {
      const known = diskError(error, app.dataDir, 'an interrupted import couldn’t be undone')
      if (known !== null) return err(known)
      app.log('error', 'Interrupted work could not be undone', traceOf(error))
    }
  }
  return ok(null)
}

async function findPlan({ folders, keyStore }: SessionsDeps, id: string): Promise<Result<OpenPlan, AppError>> {
  const found = await folders.find(id)
  if (found === null) return err(workspaceErrors.notFound)
  if ('problem' in found) return err({ kind: 'not-found', message: found.problem })
  return ok({ info: found.info, folder: folders.pathOf(id), keyStore })
}

type Opened = Promise<Result<RunningSession, AppError>>

/** The workspaces that are open or being opened, each once. A workspace that failed to open is tried again at the next call. */
function createOpening() {
  const opening = new Map<string, Opened>()
  return {
    get: (id: string): Opened | undefined => opening.get(id),
    ids: (): string[] => [...opening.keys()],
    forget: (id: string): void => void opening.delete(id),
    once(id: string, open: () => Opened): Opened {
      const already = opening.get(id)
      if (already !== undefined) return already
      const opened = open()
      opening.set(id, opened)
      const forget = () => opening.delete(id)
      opened.then((result) => result.ok || forget(), forget)
      return opened
    },
  }
}

interface Opening extends Pick<SessionDeps, 'isReopened'> {
  /** Whether the whole database is checked first. */
  thorough: boolean
  /** Called while interrupted work is undone, with the share that is done. */
  onUndoing(done: number): void
}

/** Opens a session on the database and the service of a workspace. */
async function sessionOf(
  deps: SessionsDeps,
  { info, folder, keyStore }: OpenPlan,
  { thorough, isReopened, onUndoing }: Opening,
): Promise<Result<RunningSession, AppError>> {
  const { app, newId, pollMs, emit } = deps
  const { mirror: file, service: serviceFolder } = workspacePaths(folder)
  // Any other workspace was listed only after its database was created.
  const isSample = info.kind === 'sample'
  const mirror = openMirror(file, { thorough, mustExist: !isSample })
  if (!mirror.ok) return mirror
  const settled = await settleKilled(deps, mirror.value, onUndoing)
  if (!settled.ok) {
    mirror.value.close()
    return settled
  }
  const onDamaged = () => emit({ push: 'changed', workspaceId: info.id, tables: ['workspaces', 'sync'] })
  const mayBootstrap = () => mirror.value.snapshot(isBaseEmpty)
  const service =
    info.kind === 'remote' ? null : createLocalService({ app, folder: serviceFolder, workspaceId: info.remoteId, mayBootstrap, onDamaged })
  const session = openSession({
    app,
    info,
    mirror: mirror.value,
    newId,
    pollMs,
    keyStore,
    service,
    isReopened,
    check: thorough || isSample ? async () => true : (signal) => checkInThread(file, signal),
    onChange: (tables) => emit({ push: 'changed', workspaceId: info.id, tables }),
    onDamaged: () => deps.onDamaged(info.id),
  })
  return ok(session)
}

/** How long the check waits, because the first screen needs memory and processors. */
const firstPageMs = 250

const threadFile = workerFile(import.meta.url, 'check-worker')

/** Runs `isMirrorWhole` in a thread, some time after the first screen. Null: `signal` aborted first. Rejects if the check can't run. */
async function checkInThread(file: string, signal: AbortSignal): Promise<boolean | null> {
  await rest(firstPageMs, null, { signal, ref: false }).catch(() => null)
  if (signal.aborted) return null
  return threadFile === null ? isMirrorWhole(file) : askThread<boolean>(threadFile, file, { signal })
}
