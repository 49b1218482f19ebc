import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createService } from '../../service/app.ts'
import { strangerRequestsPerMinute } from '../../service/protocol/limits.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath } from './support/samples.ts'

/** Sends the head of a request that announces five megabytes, and the first of them, and gives the status of what is answered before the rest. */
const statusBeforeBody = (url: string, line: string, headers: readonly string[] = []): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.once('data', (answer: Buffer) => {
      resolve(Number(answer.toString().split(' ')[1]))
      socket.destroy()
    })
    const head = [`${line} HTTP/1.1`, `host: ${hostname}:${port}`, 'content-type: application/json', 'content-length: 5000000', ...headers]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write('['.repeat(1_000_000))
  })

const status = async (url: string, init?: RequestInit): Promise<number> => {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.status
}

describe('who has no key', () => {
  const start = useServices('SQLite')

  test.each([
    { line: 'POST /nothing', expected: 404 },
    { line: 'PUT /', expected: 404 },
    { line: 'PATCH /projects/app/environments/dev/nothing', expected: 404 },
    { line: 'DELETE /nothing/at/all', expected: 404 },
    { line: 'POST /nothing%zz', expected: 400 },
    { line: 'POST /projects', expected: 401 },
    { line: 'POST /changes', expected: 401 },
    { line: `DELETE ${devPath}/variables`, expected: 401 },
    { line: 'PATCH /variables/1', expected: 401 },
    { line: 'POST /workspace', expected: 405 },
    { line: 'POST /health', expected: 405 },
    { line: 'PUT /docs', expected: 405 },
  ])('$line is $expected before its body has come', async ({ line, expected }) => {
    const { url } = await start()
    expect(await statusBeforeBody(url, line)).toBe(expected)
    expect(await statusBeforeBody(url, line, [`authorization: Bearer hf_${'0'.repeat(16)}_${'A'.repeat(43)}`])).toBe(expected)
    expect(await statusBeforeBody(url, line, ['expect: 100-continue', 'authorization: Basic AAAA'])).toBeGreaterThanOrEqual(100)
  })

  test('a key without the right is refused before its body has come', async () => {
    const { url, memberKey } = await start()
    expect(await statusBeforeBody(url, 'POST /projects', [`authorization: Bearer ${await memberKey('viewer')}`])).toBe(403)
  })

  test.each(['/nothing', '/health', '/docs', '/openapi.json', '/workspace', '/nothing%zz'])(
    'asks %s so many times a minute, and then waits, while a key goes on',
    async (path) => {
      const { url, call } = await start({ strangerRequestsPerMinute: 5 })
      const statuses: number[] = []
      for (let turn = 0; turn < 8; turn++) statuses.push(await status(`${url}${path}`))
      expect(statuses.slice(0, 5)).not.toContain(429)
      expect(statuses.slice(5)).toEqual([429, 429, 429])
      expect(await status(`${url}/workspace`, { method: 'POST' })).toBe(429)
      expect((await call('GET', '/workspace')).status).toBe(200)
    },
  )

  test('is limited by default', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-strangers-'))
    const service = await createService({ storage: { dataDir } })
    const asked = Array.from({ length: strangerRequestsPerMinute + 1 }, () => service.app.inject('/nothing'))
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    await service.close()
    await rm(dataDir, { recursive: true })
    expect(statuses.filter((one) => one === 404)).toHaveLength(strangerRequestsPerMinute)
    expect(statuses.at(-1)).toBe(429)
  })

  test.each([
    { what: 'addresses of one IPv6 network count as one', first: '2001:db8:1:2::1', second: '2001:db8:1:2:ffff::9', same: true },
    { what: 'two IPv6 networks count each for itself', first: '2001:db8:1:2::1', second: '2001:db8:1:3::1', same: false },
    { what: 'two IPv4 addresses count each for itself', first: '192.0.2.1', second: '192.0.2.2', same: false },
  ])('$what', async ({ first, second, same }) => {
    const { service } = await start({ strangerRequestsPerMinute: 1 })
    const ask = async (remoteAddress: string) => (await service.app.inject({ url: '/nothing', remoteAddress })).statusCode
    expect([await ask(first), await ask(second)]).toEqual([404, same ? 429 : 404])
  })

  test.each([
    { trustProxy: undefined, what: 'nobody', forwarded: ['192.0.2.1', '192.0.2.2'], statuses: [404, 429] },
    {
      trustProxy: ['loopback'],
      what: 'a proxy, which adds to what a client made up',
      forwarded: ['9.9.9.9, 192.0.2.1', '8.8.8.8, 192.0.2.1'],
      statuses: [404, 429],
    },
    {
      trustProxy: ['loopback'],
      what: 'a proxy that forwards ports too',
      forwarded: ['192.0.2.1:1024', '192.0.2.1:1025', '[2001:db8::1]:1024', '[2001:db8::2]:1025', '2001:db8::3'],
      statuses: [404, 429, 404, 429, 429],
    },
    { trustProxy: ['loopback'], what: 'a proxy at its address', forwarded: ['192.0.2.1', '192.0.2.2'], statuses: [404, 404] },
    { trustProxy: ['10.0.0.0/8'], what: 'a proxy elsewhere', forwarded: ['192.0.2.1', '192.0.2.2'], statuses: [404, 429] },
  ])('the forwarded address is believed of $what', async ({ trustProxy, forwarded, statuses }) => {
    const { url } = await start({ strangerRequestsPerMinute: 1, ...(trustProxy === undefined ? {} : { trustProxy }) })
    const found: number[] = []
    for (const address of forwarded) found.push(await status(`${url}/nothing`, { headers: { 'x-forwarded-for': address } }))
    expect(found).toEqual(statuses)
  })
})

describe.each(databases)('a body on %s', (kind) => {
  const start = useServices(kind)

  test.each([
    { what: 'lists', body: '['.repeat(5_000_000) },
    { what: 'objects', body: '{"a":'.repeat(1_000_000) },
    { what: 'lists behind a text with brackets', body: `["]]]]]]\\"]]]",${'['.repeat(32)}` },
  ])('of nested $what is refused without being parsed', async ({ body }) => {
    const { url, apiKey } = await start()
    const response = await fetch(`${url}/changes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    })
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      'The body nests lists and objects more than 32 deep.',
    ])
  })

  test.each([
    { what: 'items', body: `[${'1,'.repeat(2_000_000)}1]` },
    { what: 'members', body: `{"changes":[${'{"id":"a","b":1},'.repeat(200_000)}{}]}` },
  ])('of countless $what is refused without being parsed', async ({ body }) => {
    const { url, apiKey } = await start()
    const response = await fetch(`${url}/changes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    })
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      'The body has more than 10000 values. Send less at once.',
    ])
  })

  test('of brackets within texts is read', async () => {
    const { call } = await start()
    expect((await call('POST', '/projects', { name: `\\"${'[{'.repeat(50)}\\`, slug: 'deep' })).status).toBe(201)
  })
})
