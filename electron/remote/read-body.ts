import { setImmediate as nextTurn } from 'node:timers/promises'
import { untilStopped } from './deadline.ts'

/** How many bytes to copy before other work gets its turn: this takes a millisecond or two. */
const sliceBytes = 4 * 1024 * 1024

/**
 * Returns all bytes of a body; null if there are more than `limit`, counted after decompression. Rejects as the stream does, or with the
 * signal's reason.
 */
export async function readBody(response: Response, limit: number, signal: AbortSignal): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await untilStopped(reader.read(), signal)
    if (done) return joined(chunks, size)
    size += value.byteLength
    if (size > limit) {
      void reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(value)
  }
}

/** Joins the chunks. Joining 60 MB in one go would hold up other work for some 40 ms. */
async function joined(chunks: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  let restAt = sliceBytes
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
    if (at < restAt) continue
    restAt = at + sliceBytes
    await nextTurn()
  }
  return whole
}
