const blockBytes = 64 * 1024

/**
 * The bytes of a body that comes in chunks, copied into blocks. The other side can send each byte as a chunk of its own, and the object around
 * it takes hundreds of times the byte.
 */
export class ByteBlocks {
  /** All of them are full but the last one, whose end may be unused. */
  readonly blocks: Uint8Array[] = []
  /** How many bytes were added. */
  size = 0
  readonly #most: number
  #block = new Uint8Array()
  #filled = 0

  /** `most`: of bytes that are taken. */
  constructor(most: number) {
    this.#most = most
  }

  /** Adds a chunk. False: it has more bytes than are left, and none of them was added. */
  add(chunk: Uint8Array): boolean {
    if (this.size + chunk.byteLength > this.#most) return false
    for (let at = 0; at < chunk.byteLength;) {
      if (this.#filled === this.#block.byteLength) this.#begin()
      const part = chunk.subarray(at, at + this.#block.byteLength - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.byteLength
      this.size += part.byteLength
      at += part.byteLength
    }
    return true
  }

  #begin(): void {
    this.#block = Buffer.allocUnsafe(Math.min(blockBytes, this.#most - this.size))
    this.#filled = 0
    this.blocks.push(this.#block)
  }
}
