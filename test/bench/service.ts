import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Bench, BenchRow } from './main.ts'
import { load, requestBytes } from './support/http-load.ts'
import type { Load } from './support/http-load.ts'

const root = join(import.meta.dirname, '..', '..')
const connections = 8
const rounds = 5
// Both servers are compiled by V8 while they run: what is measured comes after this many rounds.
const warmUps = 1
const listed = 1000
const deletions = 60
/** How many times more time or processor time the service may take than the bare route. */
const goal = 1.3

interface Server {
  url: string
  apiKey: string
  child: ChildProcess
}

const startServer = (args: string[]): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.includes('\n')) resolve({ ...(JSON.parse(text) as { url: string; apiKey: string }), child })
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the server ended')))
  })

const stopServer = ({ child }: Server): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.stdin?.end()
  })

const startService = (dir: string): Promise<Server> =>
  startServer([
    join(root, 'service/main.ts'),
    '--port',
    '0',
    '--data',
    dir,
    '--mint-key',
    '--parent-watch',
    '--requests-per-minute',
    '999999999',
  ])

// 80 characters of plaintext: a usual connection string.
const sealed = (): string => `v1:${randomBytes(28 + 80).toString('base64')}`

const send = async (server: Server, method: string, path: string, body: object): Promise<{ id?: string }> => {
  const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { data: { id?: string } }).data
}

const environment = (slug: string): string => `/projects/app/environments/${slug}`

/** An environment of 1,000 variables to list, and one for each round to delete from. */
const fill = async (server: Server): Promise<void> => {
  await send(server, 'POST', '/projects', { name: 'App', slug: 'app' })
  const make = async (slug: string, count: number) => {
    const { id } = await send(server, 'POST', '/projects/app/environments', { name: slug, slug })
    for (let start = 0; start < count; start += 200) {
      const changes = Array.from({ length: 200 }, (_, index) => ({
        op: 'create',
        resource: 'variable',
        id: randomUUID(),
        parentId: id,
        fields: { name: `NAME_${start + index}`, value: sealed() },
      }))
      await send(server, 'POST', '/changes', { changes })
    }
  }
  await make('listed', listed)
  for (let round = 0; round < warmUps + rounds; round++) await make(`round${round}`, deletions * 200)
}

interface Measured {
  name: string
  /** The requests of one round. */
  requests: (server: Server, round: number) => Buffer[]
}

const repeat = (count: number, request: (index: number) => Buffer): Buffer[] => Array.from({ length: count }, (_, index) => request(index))

const measured = (ids: string[], feed: { from: number; cursor: string }): Measured[] => {
  const request = (server: Server, method: string, path: string, body?: object) =>
    requestBytes(
      server.url,
      method,
      path,
      { authorization: `Bearer ${server.apiKey}` },
      body === undefined ? undefined : JSON.stringify(body),
    )
  return [
    {
      name: 'read variable',
      requests: (server) => repeat(6000, (index) => request(server, 'GET', `${environment('listed')}/variables/NAME_${index % listed}`)),
    },
    {
      name: 'list 1,000',
      requests: (server) => repeat(300, () => request(server, 'GET', `${environment('listed')}/variables?limit=1000`)),
    },
    {
      name: 'update variable',
      requests: (server) => repeat(1500, (index) => request(server, 'PATCH', `/variables/${ids[index % ids.length]}`, { value: sealed() })),
    },
    {
      name: 'feed page of 1,000',
      requests: (server) => repeat(300, () => request(server, 'GET', `/changes?limit=1000&from=${feed.from}&cursor=${feed.cursor}`)),
    },
    {
      name: 'bulk delete of 200',
      requests: (server, round) =>
        repeat(deletions, (index) =>
          request(server, 'DELETE', `${environment(`round${round}`)}/variables`, {
            names: Array.from({ length: 200 }, (_, name) => `NAME_${index * 200 + name}`),
          }),
        ),
    },
  ]
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Processor time that a process has used, in milliseconds; null where the system does not say (Linux does). */
const cpuMs = ({ child }: Server): number | null => {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

interface Run extends Load {
  cpu: number | null
}

const run = async (server: Server, requests: Buffer[]): Promise<Run> => {
  let index = 0
  const before = cpuMs(server)
  const measured = await load(server.url, connections, () => requests[index++] ?? null)
  const after = cpuMs(server)
  return { ...measured, cpu: before === null || after === null ? null : after - before }
}

const sumCpu = (runs: Run[]): number => runs.reduce((sum, { cpu }) => sum + (cpu ?? Number.NaN), 0)

/** Ids of the listed variables, and where the feed has only variables ahead. */
const readPlaces = (file: string): { ids: string[]; feed: { from: number; cursor: string } } => {
  const database = new Database(file, { readonly: true })
  const rows = database
    .prepare(
      `select variables.id, variables.seq from variables join environments on environments.id = environment_id where environments.slug = 'round0'`,
    )
    .all() as { id: string; seq: number }[]
  const ids = database
    .prepare(`select variables.id from variables join environments on environments.id = environment_id where environments.slug = 'listed'`)
    .pluck()
    .all() as string[]
  const { epoch } = database.prepare('select epoch from clock').get() as { epoch: string }
  database.close()
  const from = Math.min(...rows.map(({ seq }) => seq)) - 1
  return { ids, feed: { from, cursor: `${epoch}.${from}` } }
}

/**
 * The service as it ships beside a bare Fastify route that runs the same statements, in the same run, each on its own copy of the
 * same data: requests a second, p99 in milliseconds, and how many times more time the service takes. The rounds of the two alternate; the median of
 * each is shown, after a round of each that does not count. `cpu ratio` compares the processor time of the two instead, which other programs on the machine disturb less.
 */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const ours = join(folder, 'ours')
    const filling = await startService(ours)
    const begin = performance.now()
    await fill(filling)
    const filled = listed + (warmUps + rounds) * deletions * 200
    const fillSeconds = (performance.now() - begin) / 1000
    await stopServer(filling)

    const bare = join(folder, 'bare')
    mkdirSync(bare)
    const file = join(ours, 'service.db')
    const { ids, feed } = readPlaces(file)
    copyFileSync(file, join(bare, 'service.db'))
    const service = await startService(ours)
    const bareServer = {
      ...(await startServer([join(import.meta.dirname, 'support', 'bare-server.child.ts'), join(bare, 'service.db')])),
      apiKey: service.apiKey,
    }

    const rows: BenchRow[] = []
    for (const { name, requests } of measured(ids, feed)) {
      const loads: { service: Run; bare: Run }[] = []
      for (let round = 0; round < warmUps + rounds; round++) {
        const pair = { service: await run(service, requests(service, round)), bare: await run(bareServer, requests(bareServer, round)) }
        if (round >= warmUps) loads.push(pair)
      }
      const ratios = loads.map((one) => one.bare.perSecond / one.service.perSecond)
      const cpuRatio = sumCpu(loads.map((one) => one.service)) / sumCpu(loads.map((one) => one.bare))
      rows.push({
        operation: name,
        'service /s': Math.round(median(loads.map((one) => one.service.perSecond))),
        'service p99 ms': rounded(median(loads.map((one) => one.service.p99))),
        'bare /s': Math.round(median(loads.map((one) => one.bare.perSecond))),
        'bare p99 ms': rounded(median(loads.map((one) => one.bare.p99))),
        ratio: rounded(median(ratios)),
        spread: `${rounded(Math.min(...ratios))} to ${rounded(Math.max(...ratios))}`,
        'cpu ratio': rounded(cpuRatio),
        goal,
        met: (Number.isNaN(cpuRatio) ? median(ratios) : cpuRatio) <= goal ? 'yes' : 'no',
      })
    }
    await Promise.all([stopServer(service), stopServer(bareServer)])
    rows.push({ operation: 'batch of 200 creates, variables /s', 'service /s': Math.round(filled / fillSeconds) })
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
