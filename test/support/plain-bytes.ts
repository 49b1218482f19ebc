import { Cipheriv, Decipheriv } from 'node:crypto'
import { vi } from 'vitest'

/** Does `work`. Returns the bytes that it gave to ciphers and got from deciphers, as they are once it is done. */
export async function plainBytesAfter(work: () => unknown): Promise<Buffer> {
  const [sealing, opening] = [vi.spyOn(Cipheriv.prototype, 'update'), vi.spyOn(Decipheriv.prototype, 'update')]
  try {
    await work()
    const given = sealing.mock.calls.map(([plain]) => plain as unknown as Buffer)
    const got = opening.mock.results.map(({ value }) => value as Buffer)
    return Buffer.concat([...given, ...got])
  } finally {
    sealing.mockRestore()
    opening.mockRestore()
  }
}
