import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { checkKey } from './check-key.ts'

const imported = new WeakMap<Uint8Array, { bytes: Buffer; key: KeyObject }>()

/**
 * Returns the imported form of a 32-byte key. Importing a key takes three times as long as sealing a short value. So each array is imported
 * once, and again only if its bytes have changed. Throws TypeError when the key is not 32 bytes.
 */
export function keyObject(key: Uint8Array): KeyObject {
  const known = imported.get(key)
  if (known?.bytes.equals(key)) return known.key
  checkKey(key)
  // Needs memory of its own: Buffer.from would leave a copy in the pool that all small buffers share.
  const bytes = Buffer.alloc(key.length)
  bytes.set(key)
  const fresh = { bytes, key: createSecretKey(key) }
  imported.set(key, fresh)
  return fresh.key
}

/** Overwrites a key and its copies of this module. OpenSSL wipes the imported form when it is garbage-collected. */
export function wipeKey(key: Uint8Array): void {
  imported.get(key)?.bytes.fill(0)
  imported.delete(key)
  key.fill(0)
}
