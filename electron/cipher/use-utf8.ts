/**
 * What `use` makes of the UTF-8 bytes of a text, which are overwritten then. Node's own encoding of a longer text would leave a copy in a block
 * that it frees, and of a shorter one in the pool that all small buffers share. A lone surrogate becomes U+FFFD.
 */
export function useUtf8<T>(text: string, use: (bytes: Buffer) => T): T {
  const bytes = Buffer.alloc(Buffer.byteLength(text, 'utf8'))
  bytes.write(text, 'utf8')
  const used = use(bytes)
  bytes.fill(0)
  return used
}
