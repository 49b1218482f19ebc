import type { SystemAuthenticationRow } from '../../electron/bridge/rows.ts'

interface Words {
  name: string
  on: string
  off: string
}

const words = (name: string, asks: string): Words => ({
  name,
  on: `${asks} before Holdfast is unlocked.`,
  off: `Off. When on, ${asks.charAt(0).toLowerCase()}${asks.slice(1)} before Holdfast is unlocked.`,
})

/** The system's own authentication, in the settings. */
export const systemWords: { readonly [K in SystemAuthenticationRow['kind']]: Words } = {
  'touch-id': { name: 'Touch ID', on: 'Your fingerprint unlocks Holdfast.', off: 'Off. When on, your fingerprint unlocks Holdfast.' },
  'windows-hello': words('Windows Hello', 'Windows asks for your face, fingerprint or PIN'),
  polkit: words('System password', 'Your system asks for your password'),
}
