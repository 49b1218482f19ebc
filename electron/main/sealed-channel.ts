import { createCipheriv, createDecipheriv, createECDH, createSecretKey, randomBytes, type ECDH } from 'node:crypto'
import { jsonInPieces } from './json-in-pieces.ts'

/** The messages between one page and the application, sealed on their way. */
export interface SealedChannel {
  /** For the page, to agree on the key: a point of P-256, uncompressed. */
  readonly publicKey: Uint8Array
  /** iv[12] ‖ ciphertext ‖ tag[16] of a message as JSON. */
  seal(message: unknown): Uint8Array
  /** The message; undefined when the page's key did not seal it. */
  open(sealed: Uint8Array): unknown
}

const algorithm = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]

/**
 * Agrees on a key with a page: ECDH over P-256, AES-256-GCM (`electron/preload` has the other side). Chromium copies each message several
 * times between two processes, into memory that is freed but not overwritten. When the page and its key are gone, nobody can read these
 * copies. This does not protect from a program that reads memory before. Null when `pageKey` is not a point of the curve.
 */
export function createSealedChannel(pageKey: Uint8Array): SealedChannel | null {
  const agreement = createECDH('prime256v1')
  const publicKey = Uint8Array.from(agreement.generateKeys())
  const secret = secretWith(agreement, pageKey)
  if (secret === null) return null
  const key = createSecretKey(secret)
  secret.fill(0)
  return {
    publicKey,
    seal(message) {
      const text = jsonInPieces(message)
      // Needs memory of its own: the pool of small buffers would keep the text.
      const plain = Buffer.alloc(Buffer.byteLength(text))
      plain.write(text)
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv(algorithm, key, iv)
      const sealed = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
      plain.fill(0)
      return sealed
    },
    open(sealed) {
      if (sealed.length < ivLength + tagLength) return undefined
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
      decipher.setAuthTag(bytes.subarray(-tagLength))
      const plain = decipher.update(bytes.subarray(ivLength, -tagLength))
      try {
        decipher.final()
        return JSON.parse(plain.toString('utf8'))
      } catch {
        return undefined
      } finally {
        plain.fill(0)
      }
    },
  }
}

function secretWith(agreement: ECDH, pageKey: Uint8Array): Buffer | null {
  try {
    return agreement.computeSecret(pageKey)
  } catch {
    return null
  }
}
