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
  const fresh = { bytes: Buffer.from(key), key: createSecretKey(key) }
  imported.set(key, fresh)
  return fresh.key
}
