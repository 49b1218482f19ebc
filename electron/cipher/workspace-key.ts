import { randomBytes } from 'node:crypto'
import { err, ok } from '../bridge/result.ts'
import type { Result } from '../bridge/result.ts'
import { checkKey, keyLength } from './check-key.ts'

/** The error of `parseWorkspaceKey`; an AppError. */
export type BadWorkspaceKey = { kind: 'invalid-input'; message: string; field: 'workspaceKey' }

/** Makes a new 32-byte workspace key. `random` returns so many random bytes; the system's by default. */
export function generateWorkspaceKey(random: (length: number) => Uint8Array = randomBytes): Uint8Array {
  const key = random(keyLength)
  checkKey(key)
  return key
}

/**
 * Reads a workspace key as people paste it: standard base64 or base64url, with or without padding (RFC 4648 sections 4 and 5), or 64
 * hexadecimal digits; white space around it is dropped. Any other text is `invalid-input`, with a sentence that says what to do.
 */
export function parseWorkspaceKey(text: string): Result<Uint8Array, BadWorkspaceKey> {
  const trimmed = text.trim()
  if (trimmed === '') return refuse('Paste the workspace key: 44 characters of base64, or 64 hexadecimal digits.')
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return ok(ownBytes(Buffer.from(trimmed, 'hex')))
  const unpadded = trimmed.replace(/={1,2}$/, '')
  if (!/^([A-Za-z0-9+/]+|[A-Za-z0-9_-]+)$/.test(unpadded)) {
    return refuse(`${notAKey} It contains characters that keys don’t have. Copy it again, without spaces, quotes or line breaks.`)
  }
  // Node reads both alphabets. The check compares in the standard one.
  const key = Buffer.from(unpadded, 'base64')
  if (key.length !== keyLength)
    return refuse(`${notAKey} It is too ${key.length < keyLength ? 'short' : 'long'}. Copy the whole key again.`)
  const alphabet = /[_-]/.test(unpadded) ? 'base64url' : 'base64'
  const canonical = key.toString(alphabet).replace(/=+$/, '') === unpadded
  const padded = trimmed.length - unpadded.length
  if (!canonical || padded > 1) return refuse(`${notAKey} Its last characters are wrong. Copy the whole key again.`)
  return ok(ownBytes(key))
}

/** Returns the bytes in memory of their own. A lock must overwrite all copies, so none may be in the pool that all small buffers share. */
function ownBytes(pooled: Buffer): Uint8Array {
  const bytes = new Uint8Array(pooled)
  pooled.fill(0)
  return bytes
}

/** Returns the key as people keep it: standard base64, 44 characters. Throws TypeError when it is not 32 bytes. */
export function formatWorkspaceKey(key: Uint8Array): string {
  checkKey(key)
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64')
}

const notAKey = 'Not a valid workspace key (44 characters of base64, or 64 hexadecimal digits).'

function refuse(message: string): Result<never, BadWorkspaceKey> {
  return err({ kind: 'invalid-input', message, field: 'workspaceKey' })
}
