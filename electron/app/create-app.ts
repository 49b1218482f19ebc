import { join } from 'node:path'
import type { AppError } from '../bridge/app-error.ts'
import type { Application } from '../bridge/bridge.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import type { AppContext } from './app-context.ts'
import type { AppDeps } from './app-deps.ts'
import { bulkHandlers } from './bulk/bulk-handlers.ts'
import { needsPermission, refusalFor } from './capabilities/permissions.ts'
import { clipboardHandlers } from './clipboard/clipboard-handlers.ts'
import { watchClipboard, type ClipboardWatch } from './clipboard/watch-clipboard.ts'
import { compareHandlers } from './compare/compare-handlers.ts'
import { createPushes } from './create-pushes.ts'
import { deletedHandlers } from './deleted/deleted-handlers.ts'
import { diagnosticsHandlers } from './diagnostics/diagnostics-handlers.ts'
import { createDispatch } from './dispatch.ts'
import { draftsHandlers } from './drafts/drafts-handlers.ts'
import { createOpenPages } from './drafts/open-pages.ts'
import { environmentsHandlers } from './environments/environments-handlers.ts'
import { exportsHandlers } from './exports/exports-handlers.ts'
import { findHandlers } from './find/find-handlers.ts'
import type { Handlers } from './handlers.ts'
import { historyHandlers } from './history/history-handlers.ts'
import { importsHandlers } from './imports/imports-handlers.ts'
import { createJobs } from './jobs.ts'
import { createKeyStores } from './keys/create-key-stores.ts'
import { apiKeyName, workspaceKeyName } from './keys/key-names.ts'
import type { KeyStores } from './keys/key-stores.ts'
import { keysHandlers } from './keys/keys-handlers.ts'
import { openKeysManager } from './keys/open-keys-manager.ts'
import { lockFolder } from './lock-folder.ts'
import { makeDataFolder } from './make-data-folder.ts'
import { membersHandlers } from './members/members-handlers.ts'
import { projectsHandlers } from './projects/projects-handlers.ts'
import { conflictsHandlers } from './queue/conflicts-handlers.ts'
import { queueHandlers } from './queue/queue-handlers.ts'
import { referencesHandlers } from './references/references-handlers.ts'
import { repairHandlers } from './repair/repair-handlers.ts'
import { restartHandlers } from './restart/restart-handlers.ts'
import { atMost } from './settings/at-most.ts'
import { createIdleLock, type IdleLock } from './settings/idle-lock.ts'
import { lockKeys } from './settings/lock-keys.ts'
import { openSettings } from './settings/open-settings.ts'
import { scrubAfterLocks } from './settings/scrub-memory.ts'
import { settingsHandlers } from './settings/settings-handlers.ts'
import { trackedHandlers } from './tracked-names/tracked-handlers.ts'
import { undoHandlers } from './undo/undo-handlers.ts'
import { createUndoMemory } from './undo/undo-memory.ts'
import { unverifiedHandlers } from './unverified/unverified-handlers.ts'
import { variablesHandlers } from './variables/variables-handlers.ts'
import { versionsHandlers } from './versions/versions-handlers.ts'
import { createNewId } from './workspaces/new-id.ts'
import { openWorkspaceManager } from './workspaces/open-workspace-manager.ts'
import { createWorkspaceFolders } from './workspaces/workspace-folders.ts'
import { workspacesHandlers } from './workspaces/workspaces-handlers.ts'

const handlersOf = (context: AppContext, onPush: Application['onPush'], clipboard: ClipboardWatch | null, idle: IdleLock): Handlers => ({
  ...clipboardHandlers(clipboard),
  ...settingsHandlers(context, idle),
  ...keysHandlers(context),
  ...workspacesHandlers(context),
  ...projectsHandlers(context),
  ...environmentsHandlers(context),
  ...variablesHandlers(context),
  ...bulkHandlers(context),
  ...compareHandlers(context),
  ...importsHandlers(context),
  ...exportsHandlers(context),
  ...referencesHandlers(context),
  ...diagnosticsHandlers(context),
  ...queueHandlers(context),
  ...conflictsHandlers(context),
  ...versionsHandlers(context),
  ...membersHandlers(context),
  ...trackedHandlers(context),
  ...undoHandlers(context),
  ...repairHandlers(context),
  ...deletedHandlers(context),
  ...restartHandlers(context),
  ...draftsHandlers(context),
  ...historyHandlers(context),
  ...unverifiedHandlers(context),
  ...findHandlers(context, onPush),
})

/**
 * Opens Holdfast on its data folder: locks the folder for this process, then connects keys, workspaces and handlers. Does not wait for the
 * network, a service or a keychain. `stores`: by default those of this computer. Errors: `folder-read-only`, `folder-in-use`, `disk-full`.
 */
export const createApp = async (deps: AppDeps, stores?: KeyStores): Promise<Result<Application, AppError>> => {
  const folder = await makeDataFolder(deps.dataDir)
  if (!folder.ok) return folder
  const lock = lockFolder(deps.dataDir)
  if (!lock.ok) return lock
  try {
    const application = await compose(deps, stores ?? createKeyStores(deps.dataDir), lock.value.release)
    if (!application.ok) lock.value.release()
    return application
  } catch (error) {
    lock.value.release()
    throw error
  }
}

const compose = async (deps: AppDeps, stores: KeyStores, releaseFolder: () => void): Promise<Result<Application, AppError>> => {
  const settings = await openSettings(deps.dataDir)
  if (!settings.ok) return settings
  const pushes = createPushes(() => deps.log('error', 'A listener for pushes failed'))
  const newId = createNewId(deps)
  const folders = createWorkspaceFolders(join(deps.dataDir, 'workspaces'))
  const keyNames = async () => (await folders.list()).flatMap(({ id }) => [workspaceKeyName(id), apiKeyName(id)])
  const systemAuthentication = deps.systemAuthentication ?? null
  const keys = openKeysManager({ stores, settings: settings.value, systemAuthentication, keyNames })
  const pollMs = () => settings.value.get().syncIntervalSeconds * 1000
  const workspaces = await openWorkspaceManager({ app: deps, keys, stores, folders, newId, emit: pushes.emit, pollMs })
  const idle = createIdleLock({
    now: deps.now,
    minutes: () => settings.value.get().lockAfterMinutes,
    lock: () => lockKeys(keys, workspaces, 'time', deps.log),
  })
  const stopScrubs = scrubAfterLocks(keys, stores.keychainAnswered)
  settings.value.onChange(idle.check)

  const { emit } = pushes
  const jobs = createJobs(emit)
  const pages = createOpenPages(() => emit({ push: 'changed', workspaceId: null, tables: ['drafts'] }))
  const context: AppContext = { deps, settings: settings.value, keys, workspaces, undo: createUndoMemory(newId), jobs, newId, emit, pages }
  const clipboard = deps.clipboard ? watchClipboard(deps.clipboard, () => deps.log('warn', 'The clipboard could not be checked')) : null
  keys.onChange(async () => {
    // They may have been unlocked with no key in the window, as by a fingerprint.
    idle.acted()
    if ((await keys.status()).state !== 'locked') return
    // A text that is being read has values in it.
    jobs.cancelAll()
    // An open page does this too, but on macOS the application outlives its window.
    await clipboard?.release()
  })
  const dispatch = dispatchTo(handlersOf(context, pushes.onPush, clipboard, idle), context)
  const calls = trackCalls()
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    calls.refuse()
    idle.stop()
    stopScrubs()
    await clipboard?.release()
    await atMost(jobs.end(), jobLimitMs)
    await calls.settled()
    await workspaces.close()
    await keys.close()
    releaseFolder()
  }

  return ok({
    query: (name, args) => calls.track(() => dispatch.query(name, args)),
    // The caller gets the pushes of a command before its answer.
    command: (name, args) => calls.track(() => dispatch.command(name, args).finally(pushes.flush)),
    onPush: pushes.onPush,
    openPage: pages.open,
    wake() {
      idle.check()
      workspaces.wake()
    },
    lock: () => lockKeys(keys, workspaces, 'system', deps.log),
    close: () => (closing ??= close()),
  })
}

const dispatchTo = (handlers: Handlers, { deps, workspaces }: AppContext) =>
  createDispatch({
    handlers,
    async refusalOf(command, workspaceId, args) {
      if (!needsPermission(command)) return null
      const session = await workspaces.session(workspaceId)
      return session.ok ? session.value.mirror.snapshot((tx) => refusalFor(tx, command, args)) : null
    },
    log: deps.log,
    newReference: () => Buffer.from(deps.randomBytes(4)).toString('hex'),
    dataDir: deps.dataDir,
    onDamaged: (workspaceId) => {
      workspaces.suspect(workspaceId).catch(() => deps.log('error', 'A damaged workspace could not be closed'))
    },
  })

/** Counts calls under way, so that nothing is closed under one of them. */
interface Calls {
  track(call: () => Promise<Result<unknown>>): Promise<Result<unknown>>
  /** Refuses all later calls: the application is closing. */
  refuse(): void
  /** Resolves when all calls have ended, but at the latest after `limitMs`: a call that waits for a keychain must not delay the exit. */
  settled(): Promise<void>
}

const limitMs = 3000
/** The longest wait for imports to take back what they saved. With `limitMs`, it is less than the 10 seconds that Electron waits. */
const jobLimitMs = 6000

const trackCalls = (): Calls => {
  const open = new Set<Promise<unknown>>()
  let isRefusing = false
  return {
    track(begin) {
      if (isRefusing) return Promise.resolve(err({ kind: 'not-found', message: 'Holdfast is closing.' }))
      const call = begin()
      open.add(call)
      const forget = () => open.delete(call)
      call.then(forget, forget)
      return call
    },
    refuse() {
      isRefusing = true
    },
    settled: () => atMost(Promise.allSettled(open), limitMs),
  }
}
