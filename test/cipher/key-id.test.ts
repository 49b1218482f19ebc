import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyId } from '../../electron/cipher/key-id.ts'

test('the id is the known answer', () => {
  // Computed from RFC 5869 with Python's hmac and hashlib.
  expect(keyId(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe('a6fd8cfd3b91624d')
})

test('two keys have two ids, and no id shows bytes of its key', () => {
  const keys = Array.from({ length: 1000 }, () => randomBytes(32))
  const ids = keys.map((key) => keyId(key))
  expect(new Set(ids).size).toBe(ids.length)
  for (const [i, key] of keys.entries()) expect(key.toString('hex')).not.toContain(ids[i])
})

test('a key of another size is refused', () => {
  expect(() => keyId(new Uint8Array(16))).toThrow(TypeError)
})
