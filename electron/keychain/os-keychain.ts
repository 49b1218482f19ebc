import type { AsyncEntry } from '@napi-rs/keyring'
import { err, ok } from '../bridge/result.ts'
import type { Result } from '../bridge/result.ts'
import type { KeyStore, KeyStoreError } from './key-store.ts'
import { keychainFailure, readKeychainError } from './keychain-failure.ts'
import { createTurnstile } from './turnstile.ts'

export interface OsKeychainOptions {
  /** The name that the keychain shows with the keys. Stores of the same name see the same keys. */
  service: string
  /** How many milliseconds a call may take, with the user's time at a prompt. A minute by default. */
  deadlineMs?: number
}

/** One for the whole process, because all calls share Node's pool of threads. */
const { pass, ended } = createTurnstile()

/** Resolves once the keychain has answered all calls so far. An answer can come long after its caller gave up, and be a key. */
export const keychainAnswered: () => Promise<unknown> = ended

/**
 * The keychain of the operating system: macOS Keychain, Windows Credential Manager, or the Secret Service on Linux. Never a keychain that
 * forgets its keys at reboot. Secrets are kept as their UTF-8 bytes.
 */
export function createOsKeychain({ service, deadlineMs = 60_000 }: OsKeychainOptions): KeyStore {
  const ask = <T>(name: string, work: (entry: AsyncEntry) => Promise<T>) => askKeychain(service, name, work, deadlineMs)
  return {
    kind: 'os',
    get: (name) =>
      ask(name, async (entry) => {
        const numbers = await entry.getSecret()
        // The bytes need memory of their own: the pool of small buffers would keep a copy.
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
    // No keys are in memory: each call asks the system.
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
 * Creates an entry for each call: an entry has a session with the service, and the session ends when the service restarts. The import is in
 * here because it fails on a platform that the library has no binary for.
 */
async function openEntry(service: string, name: string): Promise<AsyncEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  // Without this setting, Linux falls back to the kernel's keyring, which loses its keys at reboot.
  return new AsyncEntry(service, name, { linux: { store: 'secret-service' } })
}
