/**
 * Calls `use` with the UTF-8 bytes of a text, overwrites the bytes, and returns the result. Node's own encoding would leave a copy of a
 * longer text in freed memory, and of a shorter text in the pool that all small buffers share. A lone surrogate becomes U+FFFD.
 */
export function useUtf8<T>(text: string, use: (bytes: Buffer) => T): T {
  const bytes = Buffer.alloc(Buffer.byteLength(text, 'utf8'))
  bytes.write(text, 'utf8')
  const used = use(bytes)
  bytes.fill(0)
  return used
}
