import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createDatabase } from '../service/support/create-database.ts'
import { startPostgres } from '../service/support/start-postgres.ts'
import type { Bench, BenchRow } from './main.ts'
import { load, requestBytes } from './support/http-load.ts'

const root = join(import.meta.dirname, '..', '..')
const writers = 64
const writes = 3000
const rounds = 5
const workspaces = 8

interface Server {
  url: string
  apiKey?: string
  child: ChildProcess
}

const startServer = (args: string[], env: Record<string, string> = {}): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
    child.stdout.once('data', (line: Buffer) => resolve({ ...(JSON.parse(line.toString()) as { url: string; apiKey?: string }), child }))
    child.once('error', reject)
  })

const stopServer = ({ child }: Server): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.stdin?.end()
  })

const sealed = (): string => `v1:${randomBytes(28 + 80).toString('base64')}`

const post = async (url: string, apiKey: string, path: string, body: object): Promise<{ id: string }> => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { data: { id: string } }).data
}

interface Place {
  apiKey: string
  ids: string[]
}

const fill = async (url: string, apiKey: string): Promise<Place> => {
  await post(url, apiKey, '/projects', { name: 'App', slug: 'app' })
  await post(url, apiKey, '/projects/app/environments', { name: 'Dev', slug: 'dev' })
  const ids: string[] = []
  for (let index = 0; index < 100; index++)
    ids.push((await post(url, apiKey, '/projects/app/environments/dev/variables', { name: `N${index}`, value: sealed() })).id)
  return { apiKey, ids }
}

const makeWorkspace = (databaseUrl: string, slug: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = [join(root, 'service/main.ts'), 'workspaces', 'create', '--name', slug, '--slug', slug, '--owner', 'bench@example.com']
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATABASE_URL: databaseUrl },
    })
    child.stdout.once('data', (line: Buffer) => resolve((JSON.parse(line.toString()) as { apiKey: string }).apiKey))
    child.once('error', reject)
  })

/** Sends updates over 64 connections, shared out among the servers, and gives how many were answered in a second. */
const measure = async (urls: readonly string[], places: readonly Place[]): Promise<number> => {
  const begin = performance.now()
  await Promise.all(
    urls.map((url) => {
      let sent = 0
      return load(url, writers / urls.length, () => {
        if (sent >= writes / urls.length) return null
        const place = places[sent % places.length]
        const id = place?.ids[sent % (place.ids.length - 1)]
        sent++
        const headers = { authorization: `Bearer ${place?.apiKey}` }
        return requestBytes(url, 'PATCH', `/variables/${id}`, headers, JSON.stringify({ value: sealed() }))
      })
    }),
  )
  return writes / ((performance.now() - begin) / 1000)
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * 64 writers on PostgreSQL: updates a second of one process and of two, in one workspace and over eight, beside the same statements without
 * the row of the clock. The rounds of all alternate; medians, and the ratio to what the goal is about.
 */
export const bench: Bench = async () => {
  const postgres = await startPostgres()
  const servers: Server[] = []
  try {
    const databaseUrl = await createDatabase(postgres.url)
    const args = [join(root, 'service/main.ts'), '--port', '0', '--parent-watch', '--requests-per-minute', '0', '--log-level', 'silent']
    const first = await startServer(args, { DATABASE_URL: databaseUrl })
    servers.push(first, await startServer(args, { DATABASE_URL: databaseUrl }))
    const bare = [0, 1].map(() => startServer([join(import.meta.dirname, 'support', 'bare-postgres.child.ts'), databaseUrl]))
    const bareServers = await Promise.all(bare)
    servers.push(...bareServers)
    const places = [await fill(first.url, first.apiKey ?? '')]
    for (let index = 1; index < workspaces; index++) places.push(await fill(first.url, await makeWorkspace(databaseUrl, `w${index}`)))
    const one = places.slice(0, 1)
    const service = servers.slice(0, 2).map(({ url }) => url)
    const without = bareServers.map(({ url }) => url)

    const cases = [
      { name: 'without the clock, 1 process', urls: without.slice(0, 1), places, beside: 0, goal: null },
      { name: 'one workspace, 1 process', urls: service.slice(0, 1), places: one, beside: 0, goal: 0.8 },
      { name: 'eight workspaces, 1 process', urls: service.slice(0, 1), places, beside: 0, goal: 0.8 },
      { name: 'one workspace, 2 processes', urls: service, places: one, beside: 1, goal: 1.8 },
      { name: 'eight workspaces, 2 processes', urls: service, places, beside: 2, goal: 1.8 },
      { name: 'without the clock, 2 processes', urls: without, places, beside: 0, goal: null },
    ]
    const seen: number[][] = cases.map(() => [])
    for (let round = 0; round <= rounds; round++)
      for (const [index, { urls, places: where }] of cases.entries()) {
        const perSecond = await measure(urls, where)
        // All servers are compiled while they run: the first round does not count.
        if (round > 0) seen[index]?.push(perSecond)
      }
    return cases.map(({ name, beside, goal }, index): BenchRow => {
      const ours = seen[index] ?? []
      const ratio = median(ours.map((value, round) => value / (seen[beside]?.[round] ?? Number.NaN)))
      return {
        '64 writers': name,
        'updates /s': Math.round(median(ours)),
        spread: `${Math.round(Math.min(...ours))} to ${Math.round(Math.max(...ours))}`,
        beside: cases[beside]?.name ?? '',
        ratio: rounded(ratio),
        goal: goal ?? '',
        met: goal === null ? '' : ratio >= goal ? 'yes' : 'no',
      }
    })
  } finally {
    await Promise.all(servers.map(stopServer))
    await postgres.stop()
  }
}
