import type { AppError } from '../../bridge/app-error.ts'
import type { Push } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { AppDeps } from '../app-deps.ts'
import { workspaceKeyName } from '../keys/key-names.ts'
import { presentKey } from '../keys/workspace-key-entry.ts'
import type { KeyStores } from '../keys/key-stores.ts'
import type { KeysManager } from '../keys/keys-manager.ts'
import { openReader } from '../../mirror/open-reader.ts'
import { atMost } from '../settings/at-most.ts'
import { connectService, probeService, type ConnectArgs } from './connect-service.ts'
import { createListing } from './listing.ts'
import { forgetKeys } from './new-workspace.ts'
import { createSample } from './open-sample.ts'
import { previewRepair, repairWorkspace, withRepairedCopy } from '../repair/repair-workspace.ts'
import { moveService } from './move-service.ts'
import { removeWorkspace } from './remove-workspace.ts'
import { removeStaleSamples } from './sample-folders.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { startLocal } from './start-local.ts'
import { supplyKeys } from './supply-keys.ts'
import { workspaceErrors } from './workspace-errors.ts'
import { workspacePaths, type WorkspaceFolders } from './workspace-folders.ts'
import type { WorkspaceManager } from './workspace-manager.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

export interface WorkspaceManagerDeps {
  app: AppDeps
  keys: KeysManager
  stores: KeyStores
  folders: WorkspaceFolders
  newId(): string
  emit(push: Push): void
  /** How long sync rests when nothing is waiting, in milliseconds. */
  pollMs(): number
}

/** How long connecting waits for the first sync, so that the first screen of a workspace already shows its rows. */
const firstSyncMs = 3000

/** Opens the workspaces of a data folder, after removing incomplete ones that crashes left. */
export const openWorkspaceManager = async (deps: WorkspaceManagerDeps): Promise<WorkspaceManager> => {
  const { app, keys, folders } = deps
  const background = (work: Promise<void>, what: string) => void work.catch(() => app.log('warn', what))
  const sessions = createSessions({
    ...deps,
    keyStore: keys.store,
    onDamaged: (id) => background(suspect(id), 'A damaged workspace could not be closed'),
  })
  const context: WorkspacesContext = { app, keys, stores: deps.stores, folders, sessions, newId: deps.newId }
  const listing = createListing(context)
  const sample = createSample(context)
  const changed = () => {
    listing.forget()
    deps.emit({ push: 'changed', workspaceId: null, tables: ['app', 'workspaces'] })
  }
  const turns = createTurns(changed)
  const { inTurn } = turns

  const suspect = (id: string): Promise<void> => inTurn(() => closeSuspect(sessions, id))

  const abandoned = await folders.clean()
  const forgetAbandoned = () => background(forgetKeysOf(abandoned, keys), 'Keys of removed workspaces could not be deleted')
  forgetAbandoned()
  background(removeStaleSamples(), 'Samples of earlier runs could not be removed')

  const stopListening = keys.onChange(() => {
    changed()
    forgetAbandoned()
    background(sessions.refreshAll(), 'Open workspaces could not load their keys')
  })

  return {
    list: () => listAll(listing, sample),
    has: async (id) => sessions.opened(id) !== null || (await folders.find(id)) !== null,
    session: sessions.get,
    opened: sessions.opened,
    reader: (workspaceId) => openReader(workspacePaths(folders.pathOf(workspaceId)).mirror),
    lookAround: () => inTurn(sample.open),
    startLocal: (args) => inTurn(() => startLocal(context, args)),
    probe: (args, signal) => probeService(context, args, signal),
    connect: (args, signal) => inTurn(() => connectAndSync(context, args, signal)),
    move: (args, signal) => inTurn(() => moveService(context, args, signal)),
    supplyKeys: (args, signal) => inTurn(() => supplyKeys(context, args, signal)),
    remove: (args) => inTurn(async () => ((await sample.remove(args.workspaceId)) ? ok(null) : removeWorkspace(context, args))),
    previewRepair: (id) => previewRepair(context, id),
    withRepairedCopy: (id, use) => withRepairedCopy(context, id, use),
    repair: (id) => inTurn(() => repairWorkspace(context, id)),
    restoreService: (id) => restoreService(sessions, turns, id),
    suspect,
    recoveryKey: (id) => recoveryKeyOf(context, id),
    refreshKeys: sessions.refreshAll,
    wake: sessions.wake,
    async close() {
      stopListening()
      await turns.idle()
      await sample.remove()
      await sessions.closeAll()
    },
  }
}

/** Closes a workspace whose database may be damaged. The next open checks the whole database. */
async function closeSuspect(sessions: Sessions, id: string): Promise<void> {
  sessions.suspect(id)
  await sessions.retire(id)
  sessions.reinstate(id)
}

/** Deletes the keys of these workspaces, and empties the list. Does nothing while the keys are locked. */
async function forgetKeysOf(abandoned: string[], keys: KeysManager): Promise<void> {
  const store = await keys.store()
  if (!store.ok) return
  for (const id of abandoned.splice(0)) await forgetKeys(store.value, id)
}

/** Runs commands that create or remove workspaces one at a time, so that a second click finds the result of the first. */
function createTurns(afterEach: () => void) {
  let last: Promise<void> = Promise.resolve()
  const forget = (): void => {}
  return {
    inTurn<T>(command: () => Promise<T>): Promise<T> {
      const done = last.then(command)
      // Drop the answer: it may have a workspace key, which would stay in memory until the next command.
      last = done.then(forget, forget)
      return done.finally(afterEach)
    },
    idle: (): Promise<void> => last,
  }
}

/** Returns the workspaces, the sample first. */
async function listAll(listing: ReturnType<typeof createListing>, sample: ReturnType<typeof createSample>) {
  const shown = await sample.session()
  return [...(shown === null ? [] : [listing.rowOf(shown)]), ...(await listing.rows())]
}

async function connectAndSync(context: WorkspacesContext, args: ConnectArgs, signal: AbortSignal) {
  const connected = await connectService(context, args, signal)
  const engine = connected.ok ? context.sessions.opened(connected.value.workspaceId)?.engine : null
  if (engine != null) await atMost(engine.syncNow(), firstSyncMs)
  return connected
}

async function restoreService(sessions: Sessions, { inTurn }: ReturnType<typeof createTurns>, id: string) {
  const session = await sessions.get(id)
  return session.ok ? inTurn(() => session.value.restoreService()) : session
}

async function recoveryKeyOf({ sessions }: WorkspacesContext, id: string): Promise<Result<{ recoveryKey: string }, AppError>> {
  const found = await sessions.get(id)
  if (!found.ok) return found
  const store = await found.value.keyStore()
  if (!store.ok) return store
  const key = await store.value.get(workspaceKeyName(id))
  if (!key.ok) return key
  return key.value === null ? err(workspaceErrors.keyMissing) : ok({ recoveryKey: presentKey(key.value) })
}
