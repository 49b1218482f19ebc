import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decryptValue, encryptValue, isSealed } from '../../electron/cipher/value-cipher.ts'
import { plainBytesAfter } from '../support/plain-bytes.ts'
import { seed, seeded } from './seeded.ts'

const key = Uint8Array.from({ length: 32 }, (_, i) => i)
const zeroKey = new Uint8Array(32)
/** Valid text: what a lone surrogate turns into is a test of its own. */
const text = fc.string({ unit: 'grapheme', maxLength: 200 })
const sealedBytesOf = (sealed: string) => Buffer.from(sealed.slice(3), 'base64')
const envelope = (bytes: Uint8Array) => `v1:${Buffer.from(bytes).toString('base64')}`

describe('known answers', () => {
  test.each([
    // McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13 and 14 (AES-256).
    ['GCM test case 13', zeroKey, 'v1:AAAAAAAAAAAAAAAAUw+K+8dFNrmpY7TxxMtziw==', ''],
    ['GCM test case 14', zeroKey, 'v1:AAAAAAAAAAAAAAAAzqdAPU1ga24HTsXTuvOdGNDRyKeZmWvwJluYtdSKuRk=', '\0'.repeat(16)],
    // Made with Python's cryptography package.
    [
      'a text beyond ASCII',
      key,
      'v1:ZGVmZ2hpamtsbW5vOHStEh6bM+0ETXCbsgoaxyWwxbZI85Yyw7OWfc+Ql2f4KuSkKXy79GJV+DUS+XWqdT8wZSW9N8azF4cqTruPYeRf',
      'postgres://shop:grüße@db:5432/läden 🦀\n\ufeffend',
    ],
  ])('%s opens', (_, key, sealed, plain) => {
    expect(decryptValue(key, sealed)).toBe(plain)
  })
})

describe('sealing', () => {
  test(seeded('what was sealed opens again'), () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), text, (key, text) => {
        const sealed = encryptValue(key, text)
        expect(decryptValue(key, sealed)).toBe(text)
        expect(isSealed(sealed)).toBe(true)
      }),
      { seed },
    )
  })

  test.each([
    ['nothing', ''],
    ['a byte order mark', '\ufefftext'],
    ['line ends of all kinds', 'a\r\nb\rc\n\u2028d\u2029'],
    ['a NUL', 'a\0b'],
    ['something that looks sealed', 'v1:AAAA'],
    ['a million letters', 'x'.repeat(1_000_000)],
    ['a million bytes of four-byte characters', '🦀'.repeat(250_000)],
  ])('%s comes back exactly', (_, text) => {
    const back = decryptValue(key, encryptValue(key, text))
    // Compared by digest: a failure would print a megabyte.
    expect(createHash('sha256').update(back).digest('hex')).toBe(createHash('sha256').update(text).digest('hex'))
  })

  test.each([
    ['a high one alone', 'a\ud83e', 'a\ufffd'],
    ['a low one alone', '\udd80b', '\ufffdb'],
    ['the wrong way round', '\udd80\ud83e', '\ufffd\ufffd'],
    ['a proper pair', '\ud83e\udd80', '🦀'],
  ])('lone surrogates become U+FFFD: %s', (_, text, expected) => {
    expect(decryptValue(key, encryptValue(key, text))).toBe(expected)
  })

  test('the layout is v1: and base64 of iv, ciphertext and tag', () => {
    const sealed = encryptValue(key, 'grün')
    expect(sealed).toMatch(/^v1:[A-Za-z0-9+/]+={0,2}$/)
    expect(sealedBytesOf(sealed)).toHaveLength(12 + 5 + 16)
  })

  test('ten thousand values have ten thousand ivs', () => {
    const ivs = Array.from({ length: 10_000 }, () => sealedBytesOf(encryptValue(key, 'same')).subarray(0, 12).toString('hex'))
    expect(new Set(ivs).size).toBe(ivs.length)
  })

  test('a key whose bytes change in place is the new key, not a remembered one', () => {
    const changing = Uint8Array.from(key)
    const sealed = encryptValue(changing, 'text')
    changing[0] = 255
    expect(() => decryptValue(changing, sealed)).toThrow(TypeError)
    expect(decryptValue(Uint8Array.from(changing), encryptValue(changing, 'text'))).toBe('text')
  })

  test('a key that is a view into a larger buffer is only those bytes', () => {
    const view = Buffer.concat([randomBytes(7), key, randomBytes(7)]).subarray(7, 39)
    expect(decryptValue(key, encryptValue(view, 'text'))).toBe('text')
  })
})

describe('refusals', () => {
  const sealed = encryptValue(key, 'a value of some length')
  const bytes = sealedBytesOf(sealed)

  test('every flipped bit is refused', () => {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => decryptValue(key, envelope(changed)), `bit ${bit}`).toThrow(TypeError)
    }
  })

  test(seeded('every other text is refused with a TypeError'), () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.base64String().map((s) => `v1:${s}`),
        ),
        (text) => {
          expect(() => decryptValue(key, text)).toThrow(TypeError)
        },
      ),
      { seed },
    )
  })

  test.each([
    ['no prefix', sealed.slice(3)],
    ['another version', sealed.replace('v1:', 'v2:')],
    ['an upper case prefix', sealed.replace('v1:', 'V1:')],
    ['a space before', ` ${sealed}`],
    ['a line end after', `${sealed}\n`],
    ['a space inside', `${sealed.slice(0, 9)} ${sealed.slice(9)}`],
    ['nothing after the prefix', 'v1:'],
    ['one byte too few', envelope(bytes.subarray(0, 27))],
    ['the tag cut short', envelope(bytes.subarray(0, -1))],
    ['the tag cut to 12 bytes', envelope(bytes.subarray(0, -4))],
    ['a byte more', envelope(Buffer.concat([bytes, Buffer.of(0)]))],
    ['base64url', 'v1:-_' + envelope(Buffer.alloc(40, 255)).slice(5)],
    ['no padding', 'v1:AAAAAAAAAAAAAAAAUw+K+8dFNrmpY7TxxMtziw'],
    ['too much padding', 'v1:AAAAAAAAAAAAAAAAUw+K+8dFNrmpY7TxxMtziw==='],
    ['unused bits set', 'v1:AAAAAAAAAAAAAAAAUw+K+8dFNrmpY7TxxMtzix=='],
    ['bytes that are no UTF-8', 'v1:ZGVmZ2hpamtsbW5vt+XeQUVolp1U64RF5hopkGZJSw=='],
  ])('%s is refused', (_, text) => {
    expect(() => decryptValue(key, text)).toThrow(TypeError)
  })

  test('another key is refused', () => {
    expect(() => decryptValue(randomBytes(32), sealed)).toThrow(TypeError)
  })

  test.each([0, 16, 24, 31, 33, 64])('a key of %i bytes is refused', (length) => {
    expect(() => encryptValue(new Uint8Array(length), 'x')).toThrow(TypeError)
    expect(() => decryptValue(new Uint8Array(length), sealed)).toThrow(TypeError)
  })

  test.each([
    ['a string', 'x'.repeat(32)],
    ['an array', Array.from({ length: 32 }, () => 0)],
    ['wider numbers', new Uint16Array(32)],
    ['nothing', null],
  ])('%s is no key', (_, bad) => {
    expect(() => encryptValue(bad as never, 'x')).toThrow(TypeError)
    expect(() => decryptValue(bad as never, sealed)).toThrow(TypeError)
  })

  test.each([[1], [null], [undefined], [{}]])('%s is no value', (bad) => {
    expect(() => encryptValue(key, bad as never)).toThrow(TypeError)
    expect(() => decryptValue(key, bad as never)).toThrow(TypeError)
  })

  test('a refusal leaves the stack of later errors as it was', () => {
    const { stackTraceLimit } = Error
    expect(() => decryptValue(randomBytes(32), sealed)).toThrow(TypeError)
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  })

  test('a refusal repeats neither the value nor the key', () => {
    const secret = 'SENTINEL-VALUE'
    for (const attempt of [() => decryptValue(key, secret), () => decryptValue(randomBytes(32), encryptValue(key, secret))]) {
      expect(attempt).toThrow(expect.not.objectContaining({ message: expect.stringContaining(secret) }))
    }
  })
})

test.each([
  ['sealed', () => encryptValue(key, 'a text')],
  ['opened', () => decryptValue(key, encryptValue(key, 'a text'))],
  ['refused', () => expect(() => decryptValue(randomBytes(32), encryptValue(key, 'a text'))).toThrow(TypeError)],
])('the bytes of a text that was %s are overwritten', async (_what, work) => {
  const bytes = await plainBytesAfter(work)
  expect(bytes.length).toBeGreaterThan(0)
  expect(bytes).toEqual(Buffer.alloc(bytes.length))
})

describe('isSealed', () => {
  test.each([
    ['plain text', 'postgres://localhost', false],
    ['nothing', '', false],
    ['a text that begins with v1:', 'v1:my-token', false],
    ['too few bytes', envelope(new Uint8Array(27)), false],
    ['the fewest bytes', envelope(new Uint8Array(28)), true],
    ['4 MiB', envelope(new Uint8Array(3_000_000)), true],
  ])('%s', (_, text, expected) => {
    expect(isSealed(text)).toBe(expected)
  })
})
