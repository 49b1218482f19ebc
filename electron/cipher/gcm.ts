import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ivLength, tagLength } from './sealed-bytes.ts'

const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagLength }

/**
 * Random bytes for the next ivs, drawn in one go: many take the system as long as a few. Ivs are not secret, so they may stay in memory.
 */
const drawn = Buffer.alloc(ivLength * 256)
let unused = 0

/** Writes a fresh random iv: none is ever given twice. */
function writeIv(to: Buffer): void {
  if (unused === 0) {
    randomFillSync(drawn)
    unused = drawn.length
  }
  unused -= ivLength
  drawn.copy(to, 0, unused, unused + ivLength)
}

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D) and a fresh random iv. Returns iv[12] ‖ ciphertext ‖ tag[16]. `associated`: data to
 * authenticate with it, or null.
 */
export function sealBytes(key: KeyObject, plain: Uint8Array, associated: Uint8Array | null): Buffer {
  const sealed = Buffer.allocUnsafe(ivLength + plain.length + tagLength)
  writeIv(sealed)
  const cipher = createCipheriv(algorithm, key, sealed.subarray(0, ivLength), options)
  if (associated !== null) cipher.setAAD(associated)
  cipher.update(plain).copy(sealed, ivLength)
  cipher.final()
  cipher.getAuthTag().copy(sealed, ivLength + plain.length)
  return sealed
}

/** Opens iv ‖ ciphertext ‖ tag. Returns null if the key or the associated data is wrong, or a byte was changed. */
export function openBytes(key: KeyObject, sealed: Buffer, associated: Uint8Array | null): Buffer | null {
  const end = sealed.length - tagLength
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength), options)
  if (associated !== null) decipher.setAAD(associated)
  decipher.setAuthTag(sealed.subarray(end))
  const plain = decipher.update(sealed.subarray(ivLength, end))
  // Building the error's stack, which nothing reads, takes a third of the time of a forged value. A service may send 100,000 forged values.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    decipher.final()
  } catch {
    plain.fill(0)
    return null
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  return plain
}
