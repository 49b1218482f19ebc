import { setImmediate as nextTurn } from 'node:timers/promises'
import { ByteBlocks } from '../../service/protocol/byte-blocks.ts'
import { untilStopped } from './deadline.ts'

/** How many bytes to copy before other work gets its turn: this takes a millisecond or two. */
const sliceBytes = 4 * 1024 * 1024

/** How many chunks to read before other work gets its turn: a service can send each byte as a chunk of its own. */
const chunksAtOnce = 64

/**
 * Returns all bytes of a body; null if there are more than `limit`, counted after decompression. Rejects as the stream does, or with the
 * signal's reason.
 */
export async function readBody(response: Response, limit: number, signal: AbortSignal): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  const read = new ByteBlocks(limit)
  for (let chunks = 1; ; chunks++) {
    if (chunks % chunksAtOnce === 0) await nextTurn()
    const { done, value } = await untilStopped(reader.read(), signal)
    if (done) return joined(read)
    if (!read.add(value)) {
      void reader.cancel().catch(() => undefined)
      return null
    }
  }
}

/** Joins the blocks. Joining 60 MB in one go would hold up other work for some 40 ms. */
async function joined({ blocks, size }: ByteBlocks): Promise<Uint8Array> {
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
