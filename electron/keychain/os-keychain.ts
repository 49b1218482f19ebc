import type { AsyncEntry } from '@napi-rs/keyring'
import { err, ok } from '../bridge/result.ts'
import type { Result } from '../bridge/result.ts'
import type { KeyStore, KeyStoreError } from './key-store.ts'
import { keychainFailure, readKeychainError } from './keychain-failure.ts'
import { createTurnstile } from './turnstile.ts'

export interface OsKeychainOptions {
  /** One name per data folder: two folders never see each other's keys. */
  service: string
  /** How long a call may take in milliseconds, the user's time at a prompt included. A minute by default. */
  deadlineMs?: number
}

/** One for the process: its calls share Node's pool of threads. */
const pass = createTurnstile()

/**
 * The keychain of the operating system: macOS Keychain, Windows Credential Manager, or the Secret
 * Service on Linux, never one that forgets at reboot. Secrets are kept as their UTF-8 bytes.
 */
export function createOsKeychain({ service, deadlineMs = 60_000 }: OsKeychainOptions): KeyStore {
  const ask = <T>(name: string, work: (entry: AsyncEntry) => Promise<T>) => askKeychain(service, name, work, deadlineMs)
  return {
    kind: 'os',
    get: (name) =>
      ask(name, async (entry) => {
        const numbers = await entry.getSecret()
        // In memory of their own: the pool of small buffers would keep them.
        const bytes = numbers && Uint8Array.from(numbers)
        const secret = bytes && new TextDecoder().decode(bytes)
        bytes?.fill(0)
        return secret
      }),
    set: (name, secret) =>
      ask(name, async (entry) => {
        const bytes = new TextEncoder().encode(secret)
        try {
          await entry.setSecret(bytes)
        } finally {
          bytes.fill(0)
        }
        return null
      }),
    delete: (name) =>
      ask(name, async (entry) => {
        await entry.deleteCredential()
        return null
      }),
    // Nothing is held: the system is asked each time.
    close: () => {},
  }
}

async function askKeychain<T>(
  service: string,
  name: string,
  work: (entry: AsyncEntry) => Promise<T>,
  deadlineMs: number,
): Promise<Result<T, KeyStoreError>> {
  let begun = performance.now()
  try {
    const passed = await pass(async () => {
      begun = performance.now()
      return work(await openEntry(service, name))
    }, deadlineMs)
    return passed.late ? err(keychainFailure('keychain-cancelled')) : ok(passed.value)
  } catch (error) {
    return err(readKeychainError(error, performance.now() - begun))
  }
}

/**
 * Made anew for each call: an entry holds a session with the service, which ends when the service
 * restarts. Imported late, because where the platform has no binary of the library the import itself fails.
 */
async function openEntry(service: string, name: string): Promise<AsyncEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  // Without the pin, Linux falls back to the kernel's keyring, which is gone at reboot.
  return new AsyncEntry(service, name, { linux: { store: 'secret-service' } })
}
