import { randomBytes, randomUUID } from 'node:crypto'
import type { Dice } from './dice.ts'
import { rawRequest, statusOf } from './raw-request.ts'

export interface ServiceUnderAttack {
  url: string
  apiKey: string
}

const sealed = (bytes: number): string => `v1:${randomBytes(Math.floor(bytes / 4) * 3).toString('base64')}`

/** Texts that have opened something somewhere. */
const nasty = [
  '',
  '.',
  '..',
  '%2e%2e%2f',
  '\0',
  "' or '1'='1",
  '"; drop table variables; --',
  '__proto__',
  '\u202e',
  '${jndi:x}',
  'x'.repeat(5000),
]

const paths = [
  '/workspace',
  '/projects',
  '/projects/soak',
  '/projects/soak/environments/attacked',
  '/projects/soak/environments/attacked/variables?limit=1000',
  '/projects/soak/environments/attacked/versions?limit=1000',
  '/changes?limit=1000',
  '/changes?cursor=zzz',
  '/members',
  '/audit?limit=1000',
  '/deleted',
  '/versions/none',
  '/nothing',
  '/health',
  '/docs',
  '/openapi.json',
]

type Attack = (dice: Dice, service: ServiceUnderAttack) => Promise<string>

const head = (service: ServiceUnderAttack, method: string, path: string, headers: readonly string[]) =>
  `${[`${method} ${path} HTTP/1.1`, `host: ${new URL(service.url).host}`, 'connection: close', ...headers].join('\r\n')}\r\n\r\n`

const withKey = ({ apiKey }: ServiceUnderAttack) => `authorization: Bearer ${apiKey}`

const send = (dice: Dice, service: ServiceUnderAttack, method: string, path: string, body: string, more: readonly string[] = []) => {
  const keyed = dice.chance(0.6) ? [withKey(service)] : []
  const length = dice.chance(0.9) ? Buffer.byteLength(body) : dice.below(10_000_000)
  const headers = ['content-type: application/json', `content-length: ${length}`, ...keyed, ...more]
  return rawRequest(service.url, [head(service, method, path, headers), body], 5000)
}

/** What strangers, and members who mean harm, do to a service. The data of honest members is in another environment. */
export const serviceAttacks: Readonly<Record<string, Attack>> = {
  'nested body': (dice, service) =>
    send(dice, service, dice.pick(['POST', 'PATCH', 'DELETE', 'PUT']), dice.pick(paths), dice.pick(['[', '{"a":']).repeat(800_000)),
  'crowded body': (dice, service) => send(dice, service, 'POST', '/changes', `{"changes":[${'{"id":"a"},'.repeat(300_000)}{}]}`),
  'large value': (dice, service) =>
    send(
      dice,
      service,
      'POST',
      '/projects/soak/environments/attacked/variables',
      JSON.stringify({ name: `L${dice.below(5)}`, value: sealed(dice.below(5_000_000)) }),
    ),
  'versions without end': (dice, service) => send(dice, service, 'POST', '/projects/soak/environments/attacked/versions', '{}'),
  'any path': (dice, service) => {
    const path = dice.chance(0.5) ? dice.pick(paths) : `/${encodeURIComponent(dice.pick(nasty))}/${encodeURIComponent(dice.pick(nasty))}`
    return send(dice, service, dice.pick(['GET', 'HEAD', 'OPTIONS', 'PUT']), path, '')
  },
  'nasty fields': (dice, service) => {
    const text = () => dice.pick(nasty)
    const item = () => ({
      op: dice.pick(['create', 'update', 'delete', 'rollback', text()]),
      resource: dice.pick(['variable', 'project', 'environment', 'version', 'member', text()]),
      id: dice.pick([randomUUID(), text()]),
      parentId: text(),
      fields: { name: text(), value: dice.pick([sealed(200), text()]), slug: text() },
    })
    const changes = Array.from({ length: 1 + dice.below(200) }, () => dice.pick([item(), text(), null, 7]))
    return send(dice, service, 'POST', '/changes', JSON.stringify({ changes }))
  },
  'keys that are none': (dice, service) =>
    rawRequest(
      service.url,
      [head(service, 'GET', dice.pick(paths), [`authorization: ${dice.pick(['Bearer ', 'Basic ', ''])}${dice.pick(nasty).slice(0, 500)}`])],
      5000,
    ),
  'not HTTP': (dice, service) =>
    rawRequest(service.url, [dice.pick([randomBytes(2000), 'GET / HTTP/9.9\r\n\r\n', '\r\n'.repeat(5000)])], 2000),
  'headers without end': (_dice, service) =>
    rawRequest(
      service.url,
      ['GET / HTTP/1.1\r\n', ...Array.from({ length: 3000 }, (_, index) => `x-${index}: ${'y'.repeat(60)}\r\n`)],
      3000,
    ),
  'slow body': (dice, service) =>
    rawRequest(
      service.url,
      [head(service, 'POST', '/changes', [withKey(service), 'content-type: application/json', 'content-length: 5000000']), '{"changes":['],
      500 + dice.below(4000),
    ),
  'many at once': async (dice, service) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => rawRequest(service.url, [head(service, 'GET', dice.pick(paths), [withKey(service)])], 20_000)),
    )
    return answers.find((answer) => statusOf(answer) >= 500) ?? ''
  },
}
