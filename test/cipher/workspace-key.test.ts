import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { formatWorkspaceKey, generateWorkspaceKey, parseWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import { seed, seeded } from './seeded.ts'

const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
// Every byte high, so that base64 needs + and / and base64url - and _.
const key = Uint8Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? 0xfb : 0xff))
const base64 = Buffer.from(key).toString('base64')
const base64url = Buffer.from(key).toString('base64url')
const hex = Buffer.from(key).toString('hex')

describe('parseWorkspaceKey', () => {
  test.each([
    ['standard base64', base64],
    ['standard base64 without padding', base64.replace('=', '')],
    ['base64url', base64url],
    ['base64url with padding', `${base64url}=`],
    ['hexadecimal', hex],
    ['upper case hexadecimal', hex.toUpperCase()],
    ['white space around it', `\t ${base64}\r\n`],
  ])('takes %s', (_, text) => {
    expect(parseWorkspaceKey(text)).toEqual({ ok: true, value: key })
  })

  test.each([
    ['nothing', '', /Paste the workspace key/],
    ['only white space', ' \n ', /Paste the workspace key/],
    ['a key cut short', base64.slice(0, 40), /too short/],
    ['a key and a half', base64.slice(0, 43) + base64.slice(0, 20), /too long/],
    ['63 hexadecimal digits', hex.slice(1), /too long/],
    ['a space inside', `${base64.slice(0, 20)} ${base64.slice(20)}`, /without spaces/],
    ['quotes', `"${base64}"`, /without spaces, quotes/],
    ['both alphabets', `${base64.slice(0, 20).replace('/', '_')}${base64.slice(20)}`, /characters that keys don’t have/],
    ['two padding signs', `${base64}=`, /last characters/],
    ['unused bits set', `${'A'.repeat(42)}B=`, /last characters/],
    ['a sealed value', 'v1:AAAAAAAAAAAAAAAAUw+K+8dFNrmpY7TxxMtziw==', /characters that keys don’t have/],
    ['beyond ASCII', 'é'.repeat(44), /characters that keys don’t have/],
  ])('refuses %s with a sentence', (_, text, sentence) => {
    const parsed = parseWorkspaceKey(text)
    expect(parsed).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'workspaceKey' } })
    expect(parsed.ok ? '' : parsed.error.message).toMatch(sentence)
  })

  test(seeded('never throws, and takes only what is one key'), () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String({ minLength: 40, maxLength: 48 })), (text) => {
        const parsed = parseWorkspaceKey(text)
        expect(!parsed.ok || parsed.value.length === 32).toBe(true)
      }),
      { seed },
    )
  })

  test('the refusal does not repeat what was pasted', () => {
    expect(JSON.stringify(parseWorkspaceKey('SENTINEL-KEY-PASTED'))).not.toContain('SENTINEL')
  })
})

describe('formatWorkspaceKey', () => {
  test(seeded('what it writes is read back'), () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const text = formatWorkspaceKey(key)
        expect(text).toHaveLength(44)
        expect(parseWorkspaceKey(text)).toEqual({ ok: true, value: Uint8Array.from(key) })
      }),
      { seed },
    )
  })

  test('a key of another size is refused', () => {
    expect(() => formatWorkspaceKey(new Uint8Array(31))).toThrow(TypeError)
  })
})

describe('generateWorkspaceKey', () => {
  test('takes its bytes from the source given', () => {
    expect(generateWorkspaceKey((length) => new Uint8Array(length).fill(7))).toEqual(new Uint8Array(32).fill(7))
  })

  test('two keys of the system differ', () => {
    expect(formatWorkspaceKey(generateWorkspaceKey())).not.toBe(formatWorkspaceKey(generateWorkspaceKey()))
  })

  test('a source that gives too little is a bug', () => {
    expect(() => generateWorkspaceKey(() => new Uint8Array(16))).toThrow(TypeError)
  })
})

test.each([base64, hex])('the bytes of a key that is read, as from %s, are in memory of its own, and in no other', (text) => {
  const reading = vi.spyOn(Buffer, 'from')
  const read = parseWorkspaceKey(text)
  const copies = reading.mock.results.map(({ value }) => value as unknown as Buffer)
  reading.mockRestore()
  expect(read.ok && read.value.buffer.byteLength).toBe(32)
  expect(copies).toEqual([Buffer.alloc(32)])
})
