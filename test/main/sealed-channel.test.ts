import { expect, test } from 'vitest'
import { createSealedChannel, type SealedChannel } from '../../electron/main/sealed-channel.ts'
import { plainBytesAfter } from '../support/plain-bytes.ts'

const { subtle } = crypto
const agreement = { name: 'ECDH', namedCurve: 'P-256' }

/** A page as the preload script makes it: a key pair, and the key that it shares with the channel made for it. */
async function pageWith(): Promise<{
  channel: SealedChannel
  seal(message: unknown): Promise<Uint8Array>
  open(sealed: Uint8Array): Promise<unknown>
}> {
  const pair = await subtle.generateKey(agreement, false, ['deriveKey'])
  const channel = createSealedChannel(new Uint8Array(await subtle.exportKey('raw', pair.publicKey)))
  if (channel === null) throw new Error('a key of WebCrypto is refused')
  const theirs = await subtle.importKey('raw', Uint8Array.from(channel.publicKey), agreement, false, [])
  const aes = { name: 'AES-GCM', length: 256 }
  const key = await subtle.deriveKey({ name: 'ECDH', public: theirs }, pair.privateKey, aes, false, ['encrypt', 'decrypt'])
  return {
    channel,
    async seal(message) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(JSON.stringify(message)))
      return Buffer.concat([iv, new Uint8Array(sealed)])
    },
    async open(sealed) {
      const bytes = Uint8Array.from(sealed)
      const plain = await subtle.decrypt({ name: 'AES-GCM', iv: bytes.subarray(0, 12) }, key, bytes.subarray(12))
      return JSON.parse(new TextDecoder().decode(plain))
    },
  }
}

const messages = [{}, { text: '' }, { text: 'päss 🔑', list: [1, null, 'x'] }, { text: 'x'.repeat(1_000_000) }]

test.each(messages)('page and application read each other: %o', async (message) => {
  const page = await pageWith()
  expect(page.channel.open(await page.seal(message))).toEqual(message)
  expect(await page.open(page.channel.seal(message))).toEqual(message)
})

test('nothing of a message is in what is sent, and the same message is never sent twice alike', async () => {
  const { channel } = await pageWith()
  const [once, again] = [channel.seal({ value: 'sentinel' }), channel.seal({ value: 'sentinel' })]
  expect(Buffer.from(once).includes('sentinel')).toBe(false)
  expect(Buffer.from(once).equals(again)).toBe(false)
})

test('a changed message, one that is cut short, and one of another page are refused', async () => {
  const [page, other] = [await pageWith(), await pageWith()]
  const sealed = await page.seal({ value: 'x' })
  const changed = Uint8Array.from(sealed, (byte, at) => (at === 14 ? byte ^ 1 : byte))
  for (const bytes of [changed, sealed.subarray(0, -1), sealed.subarray(0, 20), new Uint8Array(), await other.seal({ value: 'x' })])
    expect(page.channel.open(bytes)).toBeUndefined()
})

test('the bytes of a message that was sealed, opened or refused are overwritten', async () => {
  const [page, other] = [await pageWith(), await pageWith()]
  const [sealed, foreign] = [await page.seal({ value: 'x' }), await other.seal({ value: 'x' })]
  const bytes = await plainBytesAfter(() => {
    page.channel.seal({ value: 'x' })
    expect([page.channel.open(sealed), page.channel.open(foreign)]).toEqual([{ value: 'x' }, undefined])
  })
  expect(bytes).toEqual(Buffer.alloc(3 * '{"value":"x"}'.length))
})

test.each([new Uint8Array(), new Uint8Array(65), new Uint8Array(65).fill(4)])(
  'a key that is no point of the curve is refused: %#',
  (key) => {
    expect(createSealedChannel(key)).toBeNull()
  },
)
