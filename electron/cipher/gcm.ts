import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ivLength, tagLength } from './sealed-bytes.ts'

const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagLength }

/** Random bytes drawn at once: the system is as quick to give many. An iv goes over the wire anyway, so that none of them is a secret. */
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

/** AES-256-GCM (NIST SP 800-38D) with a fresh random iv: iv[12] ‖ ciphertext ‖ tag[16]. `associated`: authenticated beside it; null: nothing is. */
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

/** Opens iv ‖ ciphertext ‖ tag; null when the key or the associated data is another, or a byte was changed. */
export function openBytes(key: KeyObject, sealed: Buffer, associated: Uint8Array | null): Buffer | null {
  const end = sealed.length - tagLength
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength), options)
  if (associated !== null) decipher.setAAD(associated)
  decipher.setAuthTag(sealed.subarray(end))
  const plain = decipher.update(sealed.subarray(ivLength, end))
  // Building a stack that is never read takes a third of the time of a forged value, and a service may send 100,000 of them.
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
