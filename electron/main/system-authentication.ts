import { systemPreferences } from 'electron'
import type { SystemAuthentication } from '../app/app-deps.ts'
import { polkitAuthentication } from './polkit-authentication.ts'
import { windowsHello } from './windows-hello.ts'

const touchId: SystemAuthentication = {
  kind: 'touch-id',
  isReliable: true,
  isAvailable: async () => systemPreferences.canPromptTouchID(),
  async confirm() {
    if (!systemPreferences.canPromptTouchID()) return 'unavailable'
    return systemPreferences.promptTouchID('unlock Holdfast').then(
      () => 'confirmed' as const,
      () => 'refused' as const,
    )
  },
}

/** Returns how this system can authenticate its user; null if Holdfast knows no way. */
export function systemAuthentication(platform: NodeJS.Platform): SystemAuthentication | null {
  if (platform === 'darwin') return touchId
  if (platform === 'linux') return polkitAuthentication()
  if (platform === 'win32') return windowsHello(process.env['SystemRoot'] ?? String.raw`C:\Windows`)
  return null
}
