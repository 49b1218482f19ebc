import { types } from 'node:util'

/** The length in bytes of every key of this folder: AES-256 and HMAC-SHA-256. */
export const keyLength = 32

/** Throws TypeError unless `key` is 32 bytes. */
export function checkKey(key: Uint8Array): void {
  // Does not use instanceof: a test environment or a worker may pass another realm's Uint8Array.
  if (!types.isUint8Array(key)) throw new TypeError('A key must be a Uint8Array.')
  if (key.length !== keyLength) throw new TypeError(`A key must be ${keyLength} bytes, not ${key.length}.`)
}
