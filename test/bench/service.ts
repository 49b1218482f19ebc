import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nameOf, sealedValue } from './support/data-set.ts'
import { load, requestBytes } from './support/http-load.ts'
import { cpuOf, interleave, rounds } from './support/rounds.ts'
import { ratioAtMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'
import { ask, startServer, startService, stopServer } from './support/servers.ts'
import type { Server } from './support/servers.ts'

const connections = 8
// Both servers are compiled by V8 while they run, which takes some 30,000 small requests: what is measured comes after this many rounds.
const warmUps = 6
const deletionWarmUps = 1
const listed = 1000
const deletions = 60
const goal = ratioAtMost(1.3)

const environment = (slug: string): string => `/projects/app/environments/${slug}`

/** An environment of 1,000 variables to list, and one for each round to delete from. */
const fill = async (server: Server): Promise<void> => {
  await ask(server, 'POST', '/projects', { name: 'App', slug: 'app' })
  const make = async (slug: string, count: number) => {
    const { id } = await ask<{ id: string }>(server, 'POST', '/projects/app/environments', { name: slug, slug })
    for (let start = 0; start < count; start += 200) {
      const changes = Array.from({ length: 200 }, (_, index) => ({
        op: 'create',
        resource: 'variable',
        id: randomUUID(),
        parentId: id,
        fields: { name: nameOf(start + index), value: sealedValue() },
      }))
      await ask(server, 'POST', '/changes', { changes })
    }
  }
  await make('listed', listed)
  for (let round = -deletionWarmUps; round < rounds; round++) await make(`round${round}`, deletions * 200)
}

interface Measured {
  name: string
  warmUps: number
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
      name: 'read a variable',
      warmUps,
      requests: (server) => repeat(6000, (index) => request(server, 'GET', `${environment('listed')}/variables/${nameOf(index % listed)}`)),
    },
    {
      name: 'list 1,000',
      warmUps,
      requests: (server) => repeat(300, () => request(server, 'GET', `${environment('listed')}/variables?limit=1000`)),
    },
    {
      name: 'feed page of 1,000',
      warmUps,
      requests: (server) => repeat(300, () => request(server, 'GET', `/changes?limit=1000&from=${feed.from}&cursor=${feed.cursor}`)),
    },
    {
      name: 'update a variable',
      warmUps,
      requests: (server) =>
        repeat(1500, (index) => request(server, 'PATCH', `/variables/${ids[index % ids.length]}`, { value: sealedValue() })),
    },
    {
      name: 'delete 200 in bulk',
      warmUps: deletionWarmUps,
      requests: (server, round) =>
        repeat(deletions, (index) =>
          request(server, 'DELETE', `${environment(`round${round}`)}/variables`, {
            names: Array.from({ length: 200 }, (_, name) => nameOf(index * 200 + name)),
          }),
        ),
    },
  ]
}

/** What one round of requests took, for each of them: milliseconds on the clock and of the server's processor, and p99 of the answers. */
interface Run {
  wall: number
  cpu: number
  p99: number
}

const run = async (server: Server, requests: Buffer[]): Promise<Run> => {
  let index = 0
  const before = cpuOf(server.child.pid)
  const begun = performance.now()
  const { p99 } = await load(server.url, connections, () => requests[index++] ?? null)
  const wall = performance.now() - begun
  return { wall: wall / requests.length, cpu: (cpuOf(server.child.pid) - before) / requests.length, p99 }
}

/** Ids of the listed variables, and where the feed has only variables ahead. */
const readPlaces = (file: string): { ids: string[]; feed: { from: number; cursor: string } } => {
  const database = new Database(file, { readonly: true })
  const inEnvironment = (column: string, slug: string) =>
    database
      .prepare(
        `select variables.${column} from variables join environments on environments.id = environment_id where environments.slug = ?`,
      )
      .pluck()
      .all(slug)
  const seqs = inEnvironment('seq', 'round0') as number[]
  const ids = inEnvironment('id', 'listed') as string[]
  const epoch = database.prepare('select epoch from clock').pluck().get() as string
  database.close()
  const from = Math.min(...seqs) - 1
  return { ids, feed: { from, cursor: `${epoch}.${from}` } }
}

/**
 * The service as it ships beside a bare Fastify route that checks the key and runs the same statements, over eight connections, each on its
 * own copy of the same data. Times are of one request. The processor decides where the system tells of it, which other programs on the machine
 * disturb less.
 */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const ours = join(folder, 'ours')
    const filling = await startService({ dir: ours })
    await fill(filling)
    await stopServer(filling)
    // Both databases know it.
    const { apiKey } = filling

    const bareFolder = join(folder, 'bare')
    mkdirSync(bareFolder)
    const file = join(ours, 'service.db')
    const { ids, feed } = readPlaces(file)
    copyFileSync(file, join(bareFolder, 'service.db'))
    const service = { ...(await startService({ dir: ours })), apiKey }
    const bareFile = join(import.meta.dirname, 'support', 'bare-server.child.ts')
    const bareServer = { ...(await startServer([bareFile, join(bareFolder, 'service.db')])), apiKey }

    const rows: Row[] = []
    for (const { name, warmUps: before, requests } of measured(ids, feed)) {
      const seen = await interleave(
        {
          service: (round) => run(service, requests(service, round)),
          bare: (round) => run(bareServer, requests(bareServer, round)),
        },
        { warmUps: before },
      )
      const row = (what: string, of: keyof Run): Row => ({
        what: `${name}, ${what}`,
        unit: 'ms',
        ours: seen.service.map((one) => one[of]),
        rival: { what: 'bare Fastify route', values: seen.bare.map((one) => one[of]) },
      })
      const knowsCpu = seen.service.every(({ cpu }) => !Number.isNaN(cpu))
      rows.push({ ...row('time', 'wall'), ...(knowsCpu ? {} : { goal }) })
      if (knowsCpu) rows.push({ ...row('processor', 'cpu'), goal })
      rows.push(row('p99', 'p99'))
    }
    await Promise.all([stopServer(service), stopServer(bareServer)])
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
