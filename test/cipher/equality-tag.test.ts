import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveTagKey, equalityTag } from '../../electron/cipher/equality-tag.ts'
import { seed, seeded } from './seeded.ts'

const workspaceKey = Uint8Array.from({ length: 32 }, (_, i) => i)
const tagKey = deriveTagKey(workspaceKey)

// Computed from RFC 5869 and RFC 2104 with Python's hmac and hashlib.
test('the tag key is the known answer', () => {
  expect(Buffer.from(tagKey).toString('hex')).toBe('0c51b0f390ad43e440b410beb136861e473e691b3d1398049d93fec0dc83af9b')
})

test.each([
  ['', 'oyNBR-mBg-yQ3L0iXscBN5cT6QvOepcvSAqHxbNmyvk'],
  ['postgres://localhost', 'fYRgEQxqIEAEE2ggUNZ7gd0UwS4Jnj0ZYwF_esS17yQ'],
  ['grüße 🦀', 'NXk2YRN6_qDTkjxvxrfUn5RFIyAyvMG5nr2yq7odOEg'],
])('the tag of %j is the known answer', (text, tag) => {
  expect(equalityTag(tagKey, text)).toBe(tag)
})

test(seeded('tags are equal exactly when texts are'), () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(equalityTag(tagKey, a) === equalityTag(tagKey, b)).toBe(a === b)
      expect(equalityTag(tagKey, a)).toBe(equalityTag(Uint8Array.from(tagKey), a))
    }),
    { seed },
  )
})

test('a lone surrogate counts as what it is sealed as', () => {
  expect(equalityTag(tagKey, 'a\ud83e')).toBe(equalityTag(tagKey, 'a\ufffd'))
})

test('another workspace key gives other tags', () => {
  const other = deriveTagKey(Uint8Array.from(workspaceKey, (byte) => byte ^ 1))
  expect(equalityTag(other, 'x')).not.toBe(equalityTag(tagKey, 'x'))
})

test.each([0, 31, 33])('a key of %i bytes is refused', (length) => {
  expect(() => deriveTagKey(new Uint8Array(length))).toThrow(TypeError)
  expect(() => equalityTag(new Uint8Array(length), 'x')).toThrow(TypeError)
})
