import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'
import { keepKey } from './keep-key.ts'
import { keysErrors } from './keys-errors.ts'
import { presentKey } from './workspace-key-entry.ts'

/** The count of wrong tries, and the time of the next allowed try. In the keychain, so that a restart doesn't grant more tries. */
const triesName = 'lock-pin-tries'
const minimum = 6
/** After this many wrong tries, each further try has to wait twice as long as the one before. */
const freeTries = 5
const firstWaitMs = 5_000
const longestWaitMs = 3_600_000
const waitMsAfter = (wrong: number): number => (wrong < freeTries ? 0 : Math.min(firstWaitMs * 2 ** (wrong - freeTries), longestWaitMs))

/** A PIN for keys that the system's keychain would release without asking. The keychain has a scrypt hash of the PIN. */
export interface PinCheck {
  /** Checks a PIN, or a recovery key of a workspace instead (`key`). Errors: `passphrase-wrong`, those of the keychain. */
  check(text: string): Promise<Result<'pin' | 'key', AppError>>
  /** Stores the hash of a PIN in a new entry, and returns the entry’s name. */
  keep(store: KeyStore, pin: string): Promise<Result<string, AppError>>
}

const derive = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

const hash = async (pin: string, salt: Buffer): Promise<Buffer> => {
  const text = Buffer.from(pin.normalize('NFC'), 'utf8')
  try {
    return await derive(text, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 })
  } finally {
    text.fill(0)
  }
}

/** `entryName`: that of the present PIN. `now`: milliseconds since the epoch. */
export function createPinCheck(
  openKeychain: () => KeyStore,
  keyNames: () => Promise<string[]>,
  entryName: () => string,
  now: () => number = () => Date.now(),
): PinCheck {
  const isPin = async (store: KeyStore, text: string): Promise<Result<boolean, KeyStoreError>> => {
    const kept = await store.get(entryName())
    if (!kept.ok) return kept
    const [salt, expected] = kept.value?.split(':') ?? []
    if (salt === undefined || expected === undefined) return ok(false)
    const right = Buffer.from(expected, 'base64')
    if (right.length !== 32) return ok(false)
    return ok(timingSafeEqual(await hash(text, Buffer.from(salt, 'base64')), right))
  }
  const isRecoveryKey = async (store: KeyStore, text: string): Promise<boolean> => {
    // Reading the keys puts them into the memory of a locked Holdfast, so a wrong PIN must not do it.
    if (!parseWorkspaceKey(text).ok) return false
    for (const name of await keyNames()) {
      const kept = name.startsWith('workspace-key:') ? await store.get(name) : null
      if (kept?.ok && kept.value !== null && presentKey(kept.value) === text.trim()) return true
    }
    return false
  }

  return {
    async check(text) {
      const store = openKeychain()
      const kept = await store.get(triesName)
      if (!kept.ok) return kept
      const [wrong = 0, waitUntil = 0] = (kept.value?.split(' ') ?? []).map((part) => Number(part) || 0)
      // Setting the clock back doesn't make the wait longer.
      const leftMs = Math.min(waitUntil - now(), waitMsAfter(wrong))
      if (leftMs > 0) {
        return err({ kind: 'passphrase-wrong', message: `Too many wrong tries. Try again in ${waitWords(leftMs)}.` })
      }
      // Count the try before checking: killing Holdfast during the check must not grant a free try.
      const counted = await store.set(triesName, `${wrong + 1} ${now() + waitMsAfter(wrong + 1)}`)
      if (!counted.ok) return counted
      const pin = await isPin(store, text)
      if (!pin.ok) return pin
      const found = pin.value ? 'pin' : (await isRecoveryKey(store, text)) ? 'key' : null
      if (found === null) return err(keysErrors.pinWrong)
      const forgotten = await store.delete(triesName)
      return forgotten.ok ? ok(found) : forgotten
    },
    async keep(store, pin) {
      if (Array.from(pin).length < minimum) return err(keysErrors.pinShort)
      const salt = randomBytes(16)
      const name = `lock-pin-${randomBytes(8).toString('hex')}`
      const kept = await keepKey(store, name, `${salt.toString('base64')}:${(await hash(pin, salt)).toString('base64')}`)
      return kept.ok ? ok(name) : kept
    },
  }
}

/** Returns a wait, rounded up, in words: `1 second`, `30 seconds`, `5 minutes`. */
function waitWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
