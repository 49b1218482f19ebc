import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { openBytes, sealBytes } from './gcm.ts'
import { keyObject } from './key-object.ts'
import { sealedText } from './sealed-bytes.ts'

/** The variable that a value is bound to. Ids are those of the service. */
export interface ValuePlace {
  workspaceId: string
  environmentId: string
  name: string
  type: 'string' | 'number' | 'boolean'
  isSecret: boolean
}

const mark = 'holdfast value 1'

/**
 * The associated data of a bound value, 32 bytes: SHA-256 over mark, workspace, environment, name, type and `secret` or `plain`, each as
 * its length in bytes (32 bits, big-endian) and its UTF-16LE bytes. With the lengths, no two bindings have the same encoding. Two names
 * that differ only in lone surrogates differ in UTF-16, but not in UTF-8.
 */
export function bindingOf({ workspaceId, environmentId, name, type, isSecret }: ValuePlace): Buffer {
  const hash = createHash('sha256')
  const length = Buffer.alloc(4)
  for (const part of [mark, workspaceId, environmentId, name, type, isSecret ? 'secret' : 'plain']) {
    length.writeUInt32BE(part.length * 2)
    hash.update(length).update(part, 'utf16le')
  }
  return hash.digest()
}

/** Bytes of length before the text. */
const headerLength = 4
const leastFrame = 32
/** Longer frames are not padded: services limit the length of values, and padding can add 3 % of a megabyte. */
const mostPadded = 1024 * 1024

/**
 * Returns the length that a frame of `length` bytes is padded to: at least 32, above that by Padmé (Nikitin et al., "Reducing Metadata
 * Leakage from Encrypted Files and Communication with PURBs", section 4), which adds 12 % at most. A frame above 1 MiB is not padded.
 */
export function paddedLength(length: number): number {
  if (length <= leastFrame) return leastFrame
  if (length > mostPadded) return length
  const exponent = 31 - Math.clz32(length)
  const bits = 32 - Math.clz32(exponent)
  const step = 2 ** (exponent - bits)
  return Math.ceil(length / step) * step
}

/**
 * Seals a text and binds it to a variable. The result is the envelope of `encryptValue`, with the binding as associated data. Inside is a
 * padded frame: length (32 bits, big-endian) ‖ UTF-8 ‖ zeros. Throws TypeError when the key is not 32 bytes.
 */
export function sealBound(key: Uint8Array, text: string, binding: Uint8Array): string {
  const secret = keyObject(key)
  const length = Buffer.byteLength(text, 'utf8')
  // The frame has zeroed memory of its own. Otherwise bytes of the shared pool could get into the padding, and the text into the pool.
  const frame = Buffer.alloc(paddedLength(headerLength + length))
  frame.writeUInt32BE(length)
  frame.write(text, headerLength, 'utf8')
  const sealed = sealBytes(secret, frame, binding)
  frame.fill(0)
  return sealedText(sealed)
}

/**
 * Opens the bytes (`sealedBytes`) of a value that `sealBound` bound to this variable. Returns null for any other bytes, also for a value
 * that is not bound.
 */
export function openBound(key: Uint8Array, bytes: Buffer, binding: Uint8Array): string | null {
  const frame = openBytes(keyObject(key), bytes, binding)
  if (frame === null) return null
  const text = textOf(frame)
  frame.fill(0)
  return text
}

/** Returns the text of a frame; null if the frame is not exactly as `sealBound` would write it. */
function textOf(frame: Buffer): string | null {
  if (frame.length < leastFrame) return null
  const end = headerLength + frame.readUInt32BE()
  if (paddedLength(end) !== frame.length) return null
  const bytes = frame.subarray(headerLength, end)
  if (!isUtf8(bytes) || frame.subarray(end).some((byte) => byte !== 0)) return null
  return bytes.toString('utf8')
}
