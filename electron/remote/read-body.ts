import { setImmediate as nextTurn } from 'node:timers/promises'
import { untilStopped } from './deadline.ts'

/** How many bytes to copy before other work gets its turn: this takes a millisecond or two. */
const sliceBytes = 4 * 1024 * 1024

/**
 * Chunks are copied into blocks of this size. A service can send each byte as a chunk of its own, and the object around it takes a hundred
 * times the byte.
 */
const blockBytes = 64 * 1024

/**
 * Returns all bytes of a body; null if there are more than `limit`, counted after decompression. Rejects as the stream does, or with the
 * signal's reason.
 */
export async function readBody(response: Response, limit: number, signal: AbortSignal): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  const blocks: Uint8Array[] = []
  let block = new Uint8Array()
  let size = 0
  for (;;) {
    const { done, value } = await untilStopped(reader.read(), signal)
    if (done) return joined(blocks, size)
    if (size + value.byteLength > limit) {
      void reader.cancel().catch(() => undefined)
      return null
    }
    for (let at = 0; at < value.byteLength;) {
      const filled = size % blockBytes
      if (filled === 0) blocks.push((block = new Uint8Array(blockBytes)))
      const part = value.subarray(at, at + blockBytes - filled)
      block.set(part, filled)
      at += part.byteLength
      size += part.byteLength
    }
  }
}

/** Joins the blocks. Joining 60 MB in one go would hold up other work for some 40 ms. */
async function joined(blocks: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  let restAt = sliceBytes
  for (const block of blocks) {
    whole.set(block.subarray(0, size - at), at)
    at += block.byteLength
    if (at < restAt) continue
    restAt = at + sliceBytes
    await nextTurn()
  }
  return whole
}
