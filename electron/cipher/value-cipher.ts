import { isUtf8 } from 'node:buffer'
import { openBytes, sealBytes } from './gcm.ts'
import { keyObject } from './key-object.ts'
import { sealedBytes, sealedText } from './sealed-bytes.ts'
import { useUtf8 } from './use-utf8.ts'

/**
 * Seals a text under a 32-byte workspace key: `v1:` + base64(iv[12] ‖ ciphertext ‖ tag[16]), AES-256-GCM, with a fresh random iv each time
 * and without associated data (interface specification, Authentication, rule 3). A lone surrogate, which UTF-8 cannot carry, becomes
 * U+FFFD. Throws TypeError when the key is not 32 bytes.
 */
export function encryptValue(key: Uint8Array, text: string): string {
  const secret = keyObject(key)
  if (typeof text !== 'string') throw new TypeError('The value to seal must be a string.')
  return sealedText(useUtf8(text, (plain) => sealBytes(secret, plain, null)))
}

/**
 * Opens a value that `encryptValue` sealed, or any client with the same layout. Throws TypeError if `sealed` is not a well-formed envelope,
 * if the key does not open it, or if it was changed. The error's message has nothing of the value.
 */
export function decryptValue(key: Uint8Array, sealed: string): string {
  if (typeof sealed !== 'string') throw new TypeError('The sealed value must be a string.')
  const bytes = sealedBytes(sealed)
  if (bytes === null) throw new TypeError('Not a sealed value: it must be v1: and then canonical base64 of at least 28 bytes.')
  const text = usePlainBytes(key, bytes, (plain) => plain.toString('utf8'))
  if (text === null) throw new TypeError('This key does not open the sealed value, or the value was changed.')
  return text
}

/**
 * Opens a well-formed envelope (`sealedBytes`), calls `use` with the UTF-8 bytes inside, overwrites the bytes, and returns the result. Null
 * if the key does not open the envelope, or it does not hold UTF-8.
 */
export function usePlainBytes<T>(key: Uint8Array, bytes: Buffer, use: (plain: Buffer) => T): T | null {
  const plain = openBytes(keyObject(key), bytes, null)
  if (plain === null) return null
  const used = isUtf8(plain) ? use(plain) : null
  plain.fill(0)
  return used
}

/**
 * Returns whether `text` is a well-formed sealed value, whichever key opens it. A text that only begins with `v1:` is not sealed: if it
 * were taken for ciphertext, it would get on the disk in plain.
 */
export function isSealed(text: string): boolean {
  return sealedBytes(text) !== null
}
