import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestBytes } from './support/http-load.ts'
import { memoryOf, rounds } from './support/rounds.ts'
import { atMost, quantile } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'
import { ask, startService, stopServer } from './support/servers.ts'
import type { Server } from './support/servers.ts'

const attackers = 64
const roundSeconds = 3
const memoryMB = 400

const value = (bytes: number): string => `v1:${randomBytes(Math.floor(bytes / 4) * 3).toString('base64')}`

const environment = '/projects/app/environments/dev'

/** An environment just under the limit of a version, with small variables and values of 1 MB, and 200 versions with long notes. */
const fill = async (server: Server): Promise<{ versionId: string; variableId: string }> => {
  await ask(server, 'POST', '/projects', { name: 'App', slug: 'app' })
  const dev = await ask<{ id: string }>(server, 'POST', '/projects/app/environments', { name: 'Dev', slug: 'dev' })
  await ask(server, 'POST', '/projects/app/environments', { name: 'Notes', slug: 'notes' })
  for (let index = 0; index < 15; index++)
    await ask(server, 'POST', `${environment}/variables`, { name: `L${index}`, value: value(1_000_000) })
  const small = Array.from({ length: 200 }, (_, index) => ({
    op: 'create',
    resource: 'variable',
    id: randomUUID(),
    parentId: dev.id,
    fields: { name: `S${index}`, value: value(144) },
  }))
  await ask(server, 'POST', '/changes', { changes: small })
  for (let index = 0; index < 200; index++)
    await ask(server, 'POST', '/projects/app/environments/notes/versions', { note: 'é'.repeat(10_000) })
  const version = await ask<{ id: string }>(server, 'POST', `${environment}/versions`)
  const made = await ask<{ id: string }>(server, 'POST', `${environment}/variables`, { name: 'HIT', value: value(144) })
  return { versionId: version.id, variableId: made.id }
}

/** Sends the same bytes again and again over a connection, each time as soon as an answer has begun to come, until `stop` is called. */
const hammer = (url: string, bytes: Buffer): (() => void) => {
  const { hostname, port } = new URL(url)
  let isOn = true
  let socket = connect(Number(port), hostname)
  const open = () => {
    socket = connect(Number(port), hostname, () => socket.write(bytes))
    let missing = 0
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        const head = chunk.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(chunk.subarray(0, head).toString('latin1'))?.[1] ?? 0)
        missing = length + head + 4
      }
      missing -= chunk.length
      if (missing > 0) return
      missing = 0
      if (isOn) socket.write(bytes)
    })
    socket.on('close', () => {
      if (isOn) setTimeout(open, 5)
    })
  }
  socket.destroy()
  open()
  return () => {
    isOn = false
    socket.destroy()
  }
}

/** Reads one variable after another while the attack goes on. Milliseconds of each, and the most memory seen. */
const readMeanwhile = async (server: Server): Promise<{ times: number[]; memory: number }> => {
  const times: number[] = []
  let memory = 0
  const end = performance.now() + roundSeconds * 1000
  while (performance.now() < end) {
    const begin = performance.now()
    await ask(server, 'GET', `${environment}/variables/S7`)
    times.push(performance.now() - begin)
    memory = Math.max(memory, memoryOf(server.child.pid))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { times, memory }
}

interface Attack {
  name: string
  requests: Buffer[]
  goalMs: number
}

const attacksOn = (server: Server, places: { versionId: string; variableId: string }): Attack[] => {
  const nested = '['.repeat(5_000_000)
  const withKey = (method: string, path: string, body?: string) =>
    requestBytes(server.url, method, path, { authorization: `Bearer ${server.apiKey}` }, body)
  const worst = [
    withKey('GET', `${environment}/variables?limit=1000`),
    withKey('GET', '/changes?limit=1000'),
    withKey('GET', '/projects/app/environments/notes/versions?limit=1000'),
    withKey('GET', `/versions/${places.versionId}`),
    withKey('PATCH', `/variables/${places.variableId}`, JSON.stringify({ value: value(4_000_000) })),
    withKey('POST', '/changes', `{"changes":[${'{"id":"a"},'.repeat(400_000)}{"id":"a"}]}`),
    withKey('POST', '/changes', nested),
    withKey('GET', '/audit?limit=1000'),
  ]
  return [
    { name: 'idle service', requests: [], goalMs: 100 },
    {
      name: 'without a key, 5 MB of [[[',
      requests: ['/nothing', '/changes', '/health'].map((path) => requestBytes(server.url, 'POST', path, {}, nested)),
      goalMs: 100,
    },
    {
      name: 'without a key, /health and /docs',
      requests: ['/health', '/docs', '/nothing'].map((path) => requestBytes(server.url, 'GET', path, {})),
      goalMs: 100,
    },
    { name: 'with a key, all that is large', requests: worst, goalMs: 250 },
    { name: 'with a key, large answers alone', requests: worst.slice(0, 4), goalMs: 250 },
    { name: 'with a key, versions', requests: [withKey('POST', `${environment}/versions`, '{}')], goalMs: 250 },
  ]
}

/**
 * A keyed read, one at a time, while 64 other connections send the worst they can as fast as they are answered: p99 of the reads, and
 * the most memory of the service. There is no rate limit of keys, which would end the attack.
 */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-worst-'))
  const server = await startService({ dir: folder })
  try {
    const attacks = attacksOn(server, await fill(server))
    const rows: Row[] = []
    for (const { name, requests, goalMs } of attacks) {
      const seen: { p99: number; memory: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const stops =
          requests.length === 0
            ? []
            : Array.from({ length: attackers }, (_, index) => hammer(server.url, requests[index % requests.length] ?? Buffer.alloc(0)))
        const { times, memory } = await readMeanwhile(server)
        for (const stop of stops) stop()
        seen.push({ p99: quantile(times, 0.99), memory })
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      rows.push(
        { what: `${name}: read, p99`, unit: 'ms', ours: seen.map((one) => one.p99), goal: atMost(goalMs) },
        { what: `${name}: memory`, unit: 'MB', ours: seen.map((one) => one.memory), goal: atMost(memoryMB) },
      )
    }
    return rows
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}
