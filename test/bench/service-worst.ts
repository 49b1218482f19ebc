import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, BenchRow } from './main.ts'
import { requestBytes } from './support/http-load.ts'

const root = join(import.meta.dirname, '..', '..')
const attackers = 64
const roundSeconds = 3
const rounds = 5

interface Server {
  url: string
  apiKey: string
  child: ChildProcess
}

const startService = (dir: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    // As `npm run service` starts it: with less room for garbage.
    const args = [
      '--max-semi-space-size=4',
      join(root, 'service/main.ts'),
      '--port',
      '0',
      '--data',
      dir,
      '--parent-watch',
      '--requests-per-minute',
      '0',
    ]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdout.once('data', (line: Buffer) => resolve({ ...(JSON.parse(line.toString()) as { url: string; apiKey: string }), child }))
    child.once('error', reject)
  })

/** The memory of a process now, in megabytes; not a number where the system does not say (Linux does). */
const memoryOf = ({ child }: Server): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

const value = (bytes: number): string => `v1:${randomBytes(Math.floor(bytes / 4) * 3).toString('base64')}`

const call = async (server: Server, method: string, path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { data: unknown }).data
}

const environment = '/projects/app/environments/dev'

/** An environment just under the limit of a version, with small variables and values of 3 MiB, and 200 versions with long notes. */
const fill = async (server: Server): Promise<{ versionId: string; variableId: string }> => {
  await call(server, 'POST', '/projects', { name: 'App', slug: 'app' })
  const dev = (await call(server, 'POST', '/projects/app/environments', { name: 'Dev', slug: 'dev' })) as { id: string }
  await call(server, 'POST', '/projects/app/environments', { name: 'Notes', slug: 'notes' })
  for (let index = 0; index < 5; index++)
    await call(server, 'POST', `${environment}/variables`, { name: `L${index}`, value: value(3_000_000) })
  const small = Array.from({ length: 200 }, (_, index) => ({
    op: 'create',
    resource: 'variable',
    id: randomUUID(),
    parentId: dev.id,
    fields: { name: `S${index}`, value: value(144) },
  }))
  await call(server, 'POST', '/changes', { changes: small })
  for (let index = 0; index < 200; index++)
    await call(server, 'POST', '/projects/app/environments/notes/versions', { note: 'é'.repeat(10_000) })
  const version = (await call(server, 'POST', `${environment}/versions`)) as { id: string }
  const made = (await call(server, 'POST', `${environment}/variables`, { name: 'HIT', value: value(144) })) as { id: string }
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

const percentile = (times: number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? Number.NaN
const median = (numbers: number[]): number => percentile(numbers, 0.5)

/** Reads one variable after another while the attack goes on. Milliseconds of each, and the most memory seen. */
const readMeanwhile = async (server: Server): Promise<{ times: number[]; memory: number }> => {
  const times: number[] = []
  let memory = 0
  const end = performance.now() + roundSeconds * 1000
  while (performance.now() < end) {
    const begin = performance.now()
    await call(server, 'GET', `${environment}/variables/S7`)
    times.push(performance.now() - begin)
    memory = Math.max(memory, memoryOf(server))
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
    { name: 'nobody else', requests: [], goalMs: 100 },
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
    { name: 'with a key, versions', requests: [withKey('POST', `${environment}/versions`, '{}')], goalMs: 250 },
  ]
}

/**
 * A keyed read, one at a time, while 64 other connections send the worst they can as fast as they are answered: p99 and longest of the reads, and
 * the most memory of the service. Medians of five rounds; no rate limit of keys, which would end the attack.
 */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-worst-'))
  const server = await startService(folder)
  try {
    const attacks = attacksOn(server, await fill(server))
    const rows: BenchRow[] = []
    for (const { name, requests, goalMs } of attacks) {
      const seen: { p99: number; longest: number; memory: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const stops =
          requests.length === 0
            ? []
            : Array.from({ length: attackers }, (_, index) => hammer(server.url, requests[index % requests.length] ?? Buffer.alloc(0)))
        const { times, memory } = await readMeanwhile(server)
        for (const stop of stops) stop()
        seen.push({ p99: percentile(times, 0.99), longest: percentile(times, 1), memory })
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      const p99 = median(seen.map((one) => one.p99))
      const memory = median(seen.map((one) => one.memory))
      rows.push({
        '64 others': name,
        'read p99 ms': Math.round(p99),
        spread: `${Math.round(Math.min(...seen.map((one) => one.p99)))} to ${Math.round(Math.max(...seen.map((one) => one.p99)))}`,
        'longest ms': Math.round(Math.max(...seen.map((one) => one.longest))),
        'memory MB': Math.round(memory),
        goal: `${goalMs} ms, 400 MB`,
        met: p99 <= goalMs && memory <= 400 ? 'yes' : 'no',
      })
    }
    return rows
  } finally {
    server.child.stdin?.end()
    await new Promise((resolve) => server.child.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}
