import { expect, test, vi } from 'vitest'
import { useUtf8 } from '../../electron/cipher/use-utf8.ts'
import { encryptValue } from '../../electron/cipher/value-cipher.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'

test('a wipe overwrites the key, its former keys and the copies of all, and ends sealing and opening', () => {
  const [key, former] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)]
  const allocating = vi.spyOn(Buffer, 'alloc')
  const cipher = createWorkspaceCipher(key, [former])
  const [sealed, sealedBefore] = [cipher.seal('a text').sealed, encryptValue(former, 'a text')]
  expect([cipher.open(sealed), cipher.open(sealedBefore)]).toEqual(['a text', 'a text'])
  cipher.wipe()
  const copies = allocating.mock.results.map(({ value }) => value as Buffer)
  allocating.mockRestore()
  // Those of the key, the former key and the key of tags.
  expect(copies.filter(({ length }) => length === 32)).toHaveLength(3)
  for (const bytes of [key, former, ...copies]) expect(Buffer.from(bytes)).toEqual(Buffer.alloc(bytes.length))
  expect([cipher.open(sealed), cipher.open(sealedBefore)]).toEqual([null, null])
  expect(() => cipher.seal('a text')).toThrow('locked')
})

test('the bytes of a text are overwritten once they were used', () => {
  const used = useUtf8('a text', (bytes) => bytes)
  expect(used).toEqual(Buffer.alloc(6))
})
