import { randomBytes } from 'node:crypto'
import type { Dice } from './dice.ts'
import { rawRequest } from './raw-request.ts'

const upgrade = [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
]

/** A masked frame of a client, RFC 6455 section 5.2, with a length of 64 bits. */
function frame(opcode: number, payload: Buffer, announced = payload.length): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(announced), 2)
  // The mask is zero: the bytes are as they are.
  return Buffer.concat([head, payload])
}

const nasty = [
  '{}',
  '[]',
  '{"hello":1}',
  `{"hello":"${'x'.repeat(64)}"}`,
  '{"proof":""}',
  '{"id":1,"kind":"query","name":"app.status","args":{}}',
  '{"id":1,"kind":"query","name":"__proto__","args":{}}',
  '['.repeat(100_000),
  '\0',
]

type Attack = (dice: Dice, url: string) => Promise<string>

const ask = (url: string, path: string, headers: readonly string[], body: readonly (string | Uint8Array)[] = [], ms = 3000) =>
  rawRequest(url, [`${[`GET ${path} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`, ...body], ms)

/** What another program of this computer, or a page in the browser, does to a host. */
export const hostAttacks: Readonly<Record<string, Attack>> = {
  'paths that lead elsewhere': (dice, url) =>
    ask(
      url,
      dice.pick([
        '/../../etc/passwd',
        '/%2e%2e/%2e%2e/package.json',
        '//x',
        '/assets/..%5c..',
        '/bridge',
        '/?token=wrong',
        `/${'a'.repeat(60_000)}`,
      ]),
      [`host: ${new URL(url).host}`],
    ),
  'a strange host name': (dice, url) => ask(url, '/', [`host: ${dice.pick(['evil.example', 'localhost:1', '127.0.0.1', ''])}`]),
  'a socket from another page': (dice, url) =>
    ask(url, '/bridge', [
      `host: ${new URL(url).host}`,
      `origin: ${dice.pick(['https://evil.example', 'null', 'http://127.0.0.1:1'])}`,
      ...upgrade,
    ]),
  'a socket without the secret': (dice, url) => {
    const messages = Array.from({ length: 1 + dice.below(4) }, () => frame(1 + dice.below(2), Buffer.from(dice.pick(nasty))))
    return ask(url, '/bridge', [`host: ${new URL(url).host}`, `origin: ${new URL(url).origin}`, ...upgrade], messages)
  },
  'a message without end': (dice, url) => {
    const large = frame(1, Buffer.alloc(1_000_000, 0x5b), 2 ** 40)
    return ask(
      url,
      '/bridge',
      [`host: ${new URL(url).host}`, `origin: ${new URL(url).origin}`, ...upgrade],
      [large],
      500 + dice.below(2000),
    )
  },
  'frames that are none': (_dice, url) =>
    ask(url, '/bridge', [`host: ${new URL(url).host}`, `origin: ${new URL(url).origin}`, ...upgrade], [randomBytes(5000)]),
  'not HTTP': (_dice, url) => rawRequest(url, [randomBytes(3000)], 2000),
}
