import { createDecipheriv, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bindingOf, openBound, paddedLength, sealBound, type ValuePlace } from '../../electron/cipher/bound-value.ts'
import { sealBytes } from '../../electron/cipher/gcm.ts'
import { sealedBytes } from '../../electron/cipher/sealed-bytes.ts'
import { decryptValue, encryptValue, isSealed } from '../../electron/cipher/value-cipher.ts'
import { plainBytesAfter } from '../support/plain-bytes.ts'
import { seed, seeded } from './seeded.ts'

const key = new Uint8Array(32).fill(7)
const place: ValuePlace = { workspaceId: 'w', environmentId: 'e', name: 'STRIPE_KEY', type: 'string', isSecret: true }
const sealed = sealBound(key, 'sk_live', bindingOf(place))

const openAt = (using: Uint8Array, text: string, binding: Uint8Array) => {
  const bytes = sealedBytes(text)
  return bytes && openBound(using, bytes, binding)
}

describe('a bound value', () => {
  test('is an ordinary envelope that opens where it was sealed to', () => {
    expect(isSealed(sealed)).toBe(true)
    expect(openAt(key, sealed, bindingOf(place))).toBe('sk_live')
  })

  const elsewhere: [what: string, other: Partial<ValuePlace>][] = [
    ['another workspace', { workspaceId: 'w2' }],
    ['another environment', { environmentId: 'e2' }],
    ['another name', { name: 'STRIPE_KEY2' }],
    ['another type', { type: 'number' }],
    ['another secrecy', { isSecret: false }],
    ['a text moved from one field to the next', { environmentId: 'eS', name: 'TRIPE_KEY' }],
    ['a name in another spelling', { name: 'stripe_key' }],
  ]
  test.each(elsewhere)('does not open in %s', (_what, other) => {
    expect(openAt(key, sealed, bindingOf({ ...place, ...other }))).toBeNull()
  })

  test('does not open as an unbound value, nor an unbound value as a bound one', () => {
    expect(() => decryptValue(key, sealed)).toThrow(TypeError)
    expect(openAt(key, encryptValue(key, 'sk_live'), bindingOf(place))).toBeNull()
  })

  test('does not open under another key', () => {
    expect(openAt(new Uint8Array(32).fill(8), sealed, bindingOf(place))).toBeNull()
  })

  test('tells names apart that UTF-8 would merge', () => {
    const name = (end: string) => bindingOf({ ...place, name: `N${end}` })
    expect(name('\ud800')).not.toEqual(name('\ud801'))
    expect(name('\ud800')).not.toEqual(name('\ufffd'))
  })

  test('is bound by the written encoding: lengths in bytes, big-endian, and UTF-16LE', () => {
    // SHA-256 of the parts "holdfast value 1", "w", "e", "K", "string", "secret", each behind its length.
    expect(bindingOf({ ...place, name: 'K' }).toString('hex')).toBe('9466ea6b31fed888b7f8312cb392db9127bea02b3eb82b27dff9ae433b9f6ef6')
  })
})

describe('padding', () => {
  const lengths: [text: string, frame: number][] = [
    ['', 32],
    ['true', 32],
    ['false', 32],
    ['a'.repeat(28), 32],
    ['a'.repeat(29), 36],
    ['a'.repeat(100), 104],
    ['a'.repeat(1000), 1024],
    ['a'.repeat(10_000), 10_240],
    ['ä'.repeat(50), 104],
    ['a'.repeat(1024 * 1024), 1024 * 1024 + 4],
  ]
  test.each(lengths.map(([text, frame]) => [text.length, frame, text] as const))(
    'hides a length of %i in %i bytes',
    (_length, frame, text) => {
      const made = sealBound(key, text, bindingOf(place))
      expect(Buffer.from(made.slice(3), 'base64').length).toBe(12 + frame + 16)
      expect(openAt(key, made, bindingOf(place))).toBe(text)
    },
  )

  test('adds 12 % at most beyond 32 bytes, and larger texts are never shorter', () => {
    let before = 0
    for (let length = 0; length < 5000; length += 1) {
      const padded = paddedLength(length)
      expect(padded).toBeGreaterThanOrEqual(Math.max(length, before))
      if (length > 32) expect(padded / length).toBeLessThanOrEqual(1.12)
      expect(paddedLength(padded)).toBe(padded)
      before = padded
    }
  })
})

test(seeded('any text opens in its place and in no other one'), () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 80 })
  const anyPlace: fc.Arbitrary<ValuePlace> = fc.record({
    workspaceId: text,
    environmentId: text,
    name: text,
    type: fc.constantFrom('string', 'number', 'boolean'),
    isSecret: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'grapheme' }), anyPlace, anyPlace, (value, here, there) => {
      const made = sealBound(key, value, bindingOf(here))
      expect(openAt(key, made, bindingOf(here))).toBe(value)
      const isHere = JSON.stringify(Object.values(here)) === JSON.stringify(Object.values(there))
      expect(openAt(key, made, bindingOf(there)) === value).toBe(isHere)
    }),
    { seed },
  )
})

test('one byte changed anywhere opens nothing', () => {
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(openAt(key, `v1:${changed.toString('base64')}`, bindingOf(place))).toBeNull()
  }
})

test('the frame inside is length, text and zeros', () => {
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(bindingOf(place))
  decipher.setAuthTag(bytes.subarray(-16))
  const frame = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
  expect(frame).toEqual(Buffer.concat([Buffer.from([0, 0, 0, 7]), Buffer.from('sk_live'), Buffer.alloc(21)]))
})

test.each([
  ['without a length', Buffer.alloc(3)],
  ['shorter than 32 bytes', Buffer.from([0, 0, 0, 1, 0x41])],
  ['whose text would end behind it', Buffer.from([0, 0, 0, 29, ...Buffer.alloc(28)])],
  ['longer than its text is padded to', Buffer.alloc(36)],
  ['with something behind its text', Buffer.from([0, 0, 0, 1, 0x41, ...Buffer.alloc(26), 1])],
  ['whose text is not UTF-8', Buffer.from([0, 0, 0, 1, 0xff, ...Buffer.alloc(27)])],
])('a frame %s is refused, though the key sealed it', (_what, frame) => {
  const binding = bindingOf(place)
  expect(openBound(key, sealBytes(createSecretKey(key), frame, binding), binding)).toBeNull()
})

test.each([
  ['sealed', () => sealBound(key, 'sk_live', bindingOf(place))],
  ['opened', () => openAt(key, sealed, bindingOf(place))],
  ['refused', () => openAt(key, sealed, bindingOf({ ...place, name: 'OTHER' }))],
])('the bytes of a text that was %s are overwritten', async (_what, work) => {
  expect(await plainBytesAfter(work)).toEqual(Buffer.alloc(32))
})
