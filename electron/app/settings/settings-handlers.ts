import { err, ok } from '../../bridge/result.ts'
import type { Place, SettingsRow } from '../../bridge/rows.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import type { IdleLock } from './idle-lock.ts'

type SettingsHandlers = Pick<
  Handlers,
  'app.status' | 'app.remember-place' | 'app.stay-unlocked' | 'app.open-folder' | 'settings.get' | 'settings.set'
>

/** Returns the user's last place; null if its workspace no longer exists, like a sample after an exit. */
const placeOf = async ({ settings, workspaces }: AppContext): Promise<Place | null> => {
  const { place } = settings.get()
  if (place === null) return null
  return (await workspaces.has(place.workspaceId)) ? place : null
}

export const settingsHandlers = (context: AppContext, idle: Pick<IdleLock, 'acted'>): SettingsHandlers => ({
  'app.status': async () => {
    const { version, platform, shell, dataDir, network } = context.deps
    return ok({ version, platform, shell, dataDir, network, keys: await context.keys.status(), place: await placeOf(context) })
  },
  'app.remember-place': async (place) => context.settings.update({ place }),
  'app.stay-unlocked': async () => {
    idle.acted()
    return ok(null)
  },
  'app.open-folder': async () => {
    const { dataDir, openFolder } = context.deps
    const opened = (await openFolder?.(dataDir)) ?? err('No file manager found')
    return opened.ok ? opened : err({ kind: 'not-found', message: `${opened.error}. The folder is ${dataDir}` })
  },
  'settings.get': async () => {
    const {
      keyStore: _,
      place: _place,
      hasPin: _hasPin,
      pinEntry: _pinEntry,
      asksSystem: _asksSystem,
      isLocked: _isLocked,
      ...row
    } = context.settings.get()
    return ok(row)
  },
  'settings.set': async (given) => {
    const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<SettingsRow>
    const before = context.settings.get().syncIntervalSeconds
    const saved = await context.settings.update(patch)
    if (!saved.ok) return saved
    context.emit({ push: 'changed', workspaceId: null, tables: ['settings'] })
    // Not awaited: restarting sync with the new interval may wait for a request under way.
    if (context.settings.get().syncIntervalSeconds !== before) void context.workspaces.refreshKeys()
    return saved
  },
})
