import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { checkKey } from './check-key.ts'

const imported = new WeakMap<Uint8Array, { bytes: Buffer; key: KeyObject }>()

/**
 * The imported form of a 32-byte key. Importing costs three times as much as sealing a short
 * value, so it is done once per array, and again when the array's bytes have changed. Throws
 * TypeError when the key is not 32 bytes.
 */
export function keyObject(key: Uint8Array): KeyObject {
  const known = imported.get(key)
  if (known?.bytes.equals(key)) return known.key
  checkKey(key)
  // Memory of its own: Buffer.from would leave a copy in the pool that all small buffers share.
  const bytes = Buffer.alloc(key.length)
  bytes.set(key)
  const fresh = { bytes, key: createSecretKey(key) }
  imported.set(key, fresh)
  return fresh.key
}

/** Overwrites a key and the copies made for it here; its imported form is wiped by OpenSSL when it is collected. */
export function wipeKey(key: Uint8Array): void {
  imported.get(key)?.bytes.fill(0)
  imported.delete(key)
  key.fill(0)
}
