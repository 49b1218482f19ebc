import { untilStopped } from './deadline.ts'

/**
 * All bytes of a body, or null when there are more than `limit` (counted after decompression; the
 * rest is not read). Rejects as the stream does, or with the signal's reason.
 */
export async function readBody(response: Response, limit: number, signal: AbortSignal): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await untilStopped(reader.read(), signal)
    if (done) return Buffer.concat(chunks, size)
    size += value.byteLength
    if (size > limit) {
      void reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(value)
  }
}
