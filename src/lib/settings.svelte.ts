import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Commands } from '../../electron/bridge/contract.ts'
import type { SettingsRow } from '../../electron/bridge/rows.ts'
import { theme } from './theme.svelte.ts'
import { toasts } from './toasts.svelte.ts'

class SettingsOfWindow {
  /** The settings as the application last sent them; before that, the defaults. */
  row = $state.raw<SettingsRow>({
    theme: 'system',
    hideFromCapture: false,
    maskAll: false,
    lockAfterMinutes: 15,
    clipboardClearSeconds: 30,
    syncIntervalSeconds: 15,
    // Otherwise the tour would flash before the settings are read.
    tourSeen: true,
  })

  /** Takes over the settings from the application. */
  adopt(row: SettingsRow): void {
    this.row = row
    theme.adopt(row.theme)
  }

  /** Applies these settings, on the screen at once; reverted when the application refuses. */
  async set(bridge: Bridge, change: Commands['settings.set']['args']): Promise<void> {
    const before = this.row
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<SettingsRow>
    this.row = { ...before, ...given }
    const result = await bridge.command('settings.set', change)
    if (result.ok) return
    this.adopt(before)
    toasts.say(result.error.message, 'bad')
  }
}

/** The settings, as this window knows them. */
export const settings = new SettingsOfWindow()
