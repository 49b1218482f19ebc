import { ok } from '../../bridge/result.ts'
import type { Place } from '../../bridge/rows.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'

type SettingsHandlers = Pick<Handlers, 'app.status' | 'app.remember-place'>

/** Where the user was last, unless that workspace is gone, as a sample is after every exit. */
const placeOf = async ({ settings, workspaces }: AppContext): Promise<Place | null> => {
  const { place } = settings.get()
  if (place === null) return null
  return (await workspaces.has(place.workspaceId)) ? place : null
}

export const settingsHandlers = (context: AppContext): SettingsHandlers => ({
  'app.status': async () => {
    const { version, platform, shell, dataDir } = context.deps
    return ok({ version, platform, shell, dataDir, keys: await context.keys.status(), place: await placeOf(context) })
  },
  'app.remember-place': async (place) => context.settings.update({ place }),
})
