import type { StartOptions } from './app-process.ts'

/** Environment variables of an application under test: ours, with the keychain it is given. */
export function appEnvironment(keychain: StartOptions['keychain']): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const busAddress = keychain === 'none' ? 'unix:path=/nonexistent/bus' : keychain.busAddress
  return { ...Object.fromEntries(inherited), DBUS_SESSION_BUS_ADDRESS: busAddress }
}
