import { cpus } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase } from '../service/support/create-database.ts'
import { startPostgres } from '../service/support/start-postgres.ts'
import { createVariables, fillService, sealedValue } from './support/data-set.ts'
import { load, requestBytes } from './support/http-load.ts'
import { cpuOf, interleave } from './support/rounds.ts'
import { ratioAtLeast } from './support/row.ts'
import type { Bench, Goal, Row } from './support/row.ts'
import { runCommand, startServer, startService, stopServer } from './support/servers.ts'
import type { Server } from './support/servers.ts'

const writers = 64
const writes = 3000
const workspaces = 8

/** The variables of one workspace, and the key that may write them. */
interface Place {
  apiKey: string
  ids: string[]
}

const fill = async (server: Server): Promise<Place> => {
  const [environmentId = ''] = await fillService(server, 1, 0)
  return { apiKey: server.apiKey, ids: await createVariables(server, environmentId, 100) }
}

/** How many updates were answered in a second, and the processor time that each took, in milliseconds. */
interface Updated {
  perSecond: number
  /** Of all programs together. */
  cpu: number
  /** Of the servers alone. */
  own: number
  /** How many updates a second would keep all processors busy. */
  most: number
}

/** The processor time that each of the servers, this process and the processes of the database have used, by their ids, in milliseconds. */
const cpuOfEach = async (servers: readonly Server[], database: pg.Client): Promise<Map<number | undefined, number>> => {
  const { rows } = await database.query<{ pid: number }>('select pid from pg_stat_activity')
  const pids = [process.pid, ...rows.map(({ pid }) => pid), ...servers.map(({ child }) => child.pid)]
  return new Map(pids.map((pid) => [pid, cpuOf(pid)]))
}

/** Sends updates over 64 connections, shared out among the servers, each to the workspaces that it stands beside. */
const updates = async (database: pg.Client, shares: readonly (readonly [Server, readonly Place[]])[]): Promise<Updated> => {
  const servers = shares.map(([server]) => server)
  const before = await cpuOfEach(servers, database)
  const begin = performance.now()
  await Promise.all(
    shares.map(([{ url }, places]) => {
      let sent = 0
      return load(url, writers / shares.length, () => {
        if (sent >= writes / shares.length) return null
        const place = places[sent % places.length]
        const id = place?.ids[sent % (place.ids.length - 1)]
        sent++
        const headers = { authorization: `Bearer ${place?.apiKey}` }
        return requestBytes(url, 'PATCH', `/variables/${id}`, headers, JSON.stringify({ value: sealedValue() }))
      })
    }),
  )
  const perSecond = writes / ((performance.now() - begin) / 1000)
  const after = await cpuOfEach(servers, database)
  // A connection that was opened meanwhile is a process of its own.
  const usedBy = (pids: Iterable<number | undefined>): number =>
    [...pids].reduce<number>((sum, pid) => sum + (after.get(pid) ?? 0) - (before.get(pid) ?? 0), 0) / writes
  const cpu = usedBy(after.keys())
  return { perSecond, cpu, own: usedBy(servers.map(({ child }) => child.pid)), most: (cpus().length * 1000) / cpu }
}

/**
 * 64 writers on PostgreSQL: updates a second of one process and of two, in one workspace and over eight, beside the same statements without
 * the row of the clock that orders commits; and the processor time that each update takes of all programs together, writers and database
 * included. The number of processors divided by it is the most that this machine can do, and divided by what one process does, the most that a
 * second one can bring. A process that its one thread limits keeps as many processors busy as all programs take beside it: with fewer, a second
 * process can bring nothing.
 */
export const bench: Bench = async () => {
  const postgres = await startPostgres()
  const database = new pg.Client(postgres.url)
  const servers: Server[] = []
  try {
    const databaseUrl = await createDatabase(postgres.url)
    await database.connect()
    const first = await startService({ databaseUrl })
    const second = await startService({ databaseUrl })
    servers.push(first, second)
    const bareFile = join(import.meta.dirname, 'support', 'bare-postgres.child.ts')
    const bare = await Promise.all([startServer([bareFile, databaseUrl]), startServer([bareFile, databaseUrl])])
    servers.push(...bare)
    const places = [await fill(first)]
    for (let index = 1; index < workspaces; index++) {
      const args = ['workspaces', 'create', '--name', `w${index}`, '--slug', `w${index}`, '--owner', 'bench@example.com']
      const { apiKey } = (await runCommand(databaseUrl, args)) as { apiKey: string }
      places.push(await fill({ ...first, apiKey }))
    }
    const one = places.slice(0, 1)
    const [bareOne, bareTwo] = bare
    const half = workspaces / 2
    const measure = (...shares: readonly (readonly [Server, readonly Place[]])[]) => updates(database, shares)
    const seen = await interleave({
      bare: () => measure([bareOne, places]),
      one: () => measure([first, one]),
      eight: () => measure([first, places]),
      oneByTwo: () => measure([first, one], [second, one]),
      eightByTwo: () => measure([first, places], [second, places]),
      fourEach: () => measure([first, places.slice(0, half)], [second, places.slice(half)]),
      bareByTwo: () => measure([bareOne, places], [bareTwo, places]),
    })
    const rows = (what: string, side: keyof typeof seen, beside: { what: string; side: keyof typeof seen }, goal?: Goal): Row[] => {
      const of = (figure: keyof Updated) => ({
        ours: seen[side].map((each) => each[figure]),
        rival: { what: beside.what, values: seen[beside.side].map((each) => each[figure]) },
      })
      return [
        { what: `updates, ${what}`, unit: '/s', ...of('perSecond'), ...(goal === undefined ? {} : { goal }) },
        { what: `updates, ${what}, processor`, unit: 'ms', ...of('cpu') },
      ]
    }
    const limits = (what: string, side: 'one' | 'eight'): Row[] => {
      const of = (figure: keyof Updated) => seen[side].map((each) => each[figure])
      return [
        { what: `all processors busy, ${what}`, unit: '/s', ours: of('most'), rival: { what: '1 process', values: of('perSecond') } },
        {
          what: `processor of all programs, ${what}`,
          unit: 'ms',
          ours: of('cpu'),
          rival: { what: 'the service alone', values: of('own') },
        },
      ]
    }
    const without = { what: 'without the clock row', side: 'bare' } as const
    const byOne = (side: keyof typeof seen) => ({ what: '1 process', side })
    return [
      ...rows('one workspace, 1 process', 'one', without, ratioAtLeast(0.8)),
      ...rows('eight workspaces, 1 process', 'eight', without, ratioAtLeast(0.8)),
      ...rows('one workspace, 2 processes', 'oneByTwo', byOne('one'), ratioAtLeast(1.8)),
      ...rows('eight workspaces, 2 processes', 'eightByTwo', byOne('eight'), ratioAtLeast(1.8)),
      ...limits('one workspace', 'one'),
      ...limits('eight workspaces', 'eight'),
      // Each group is as large as with one process.
      ...rows('eight workspaces, 2 processes, four each', 'fourEach', byOne('eight')),
      // What a second process can bring on this machine at all.
      ...rows('without the clock row, 2 processes', 'bareByTwo', byOne('bare')),
    ]
  } finally {
    await Promise.all(servers.map(stopServer))
    await database.end()
    await postgres.stop()
  }
}
