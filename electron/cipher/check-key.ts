import { types } from 'node:util'

/** Length in bytes of every key here: AES-256 and HMAC-SHA-256. */
export const keyLength = 32

/** Throws TypeError unless `key` is 32 bytes. */
export function checkKey(key: Uint8Array): void {
  // Not instanceof: a test environment or a worker may hand over another realm's Uint8Array.
  if (!types.isUint8Array(key)) throw new TypeError('A key must be a Uint8Array.')
  if (key.length !== keyLength) throw new TypeError(`A key must be ${keyLength} bytes, not ${key.length}.`)
}
