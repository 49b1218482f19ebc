import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { serviceFlags } from '../../support/service-flags.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const serviceFile = join(root, 'service/main.ts')

/** A server in a process of its own. */
export interface Server {
  url: string
  apiKey: string
  workspaceId: string
  child: ChildProcess
}

/** Starts a program that prints its address as JSON on its first line and ends with its input. */
export const startServer = (
  args: readonly string[],
  { env = {}, log = 'inherit' }: { env?: Readonly<Record<string, string>>; log?: 'inherit' | 'ignore' } = {},
): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', log], env: { ...process.env, ...env } })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.includes('\n')) resolve({ apiKey: '', workspaceId: '', ...(JSON.parse(text) as { url: string }), child })
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the server ended')))
  })

/** Starts the service as `npm run service` does, with its log and without its limit of requests. */
export const startService = (storage: { dir: string } | { databaseUrl: string }): Promise<Server> => {
  const args = [...serviceFlags, serviceFile, '--port', '0', '--parent-watch', '--requests-per-minute', '0']
  return 'dir' in storage
    ? startServer([...args, '--data', storage.dir, '--mint-key'], { log: 'ignore' })
    : startServer(args, { env: { DATABASE_URL: storage.databaseUrl }, log: 'ignore' })
}

/** Runs a command of the service on a PostgreSQL database and gives the line it prints. */
export const runCommand = (databaseUrl: string, args: readonly string[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DATABASE_URL: databaseUrl }
    const child = spawn(process.execPath, [serviceFile, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env })
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString())))
    child.once('error', reject)
  })

/** Ends a server and waits until it has ended. */
export const stopServer = ({ child }: Server): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.stdin?.end()
  })

/** Sends one request to a service and gives the data of its answer. Throws where it is refused. */
export const ask = async <T>({ url, apiKey }: Pick<Server, 'url' | 'apiKey'>, method: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}
