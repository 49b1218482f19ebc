import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, watch, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createService } from '../../service/app.ts'
import type { Service } from '../../service/app.ts'
import { exitMessage } from '../../service/cli/exit-message.ts'
import { storageOf } from '../../service/cli/options.ts'
import { openAsIs, openStore } from '../../service/store/open-store.ts'
import type { Storage } from '../../service/store/open-store.ts'
import { bytesOf } from '../../service/store/weigh.ts'
import { startService } from '../support/start-service.ts'
import type { StartedService } from '../support/start-service.ts'
import { client } from './support/client.ts'
import { createDatabase, emptyDatabase } from './support/create-database.ts'
import { databases } from './support/databases.ts'
import type { DatabaseKind } from './support/databases.ts'
import { callCommand, runCommand, runCommandIn, runService, startCommand } from './support/run-service.ts'
import type { Running } from './support/run-service.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

let dir: string
const running: Running[] = []
const runningHere: StartedService[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-commands-'))
  for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR']) vi.stubEnv(name, undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(running.splice(0).map((one) => one.stop()))
  await Promise.all(runningHere.splice(0).map((one) => one.close()))
  await rm(dir, { recursive: true, force: true })
})

const serve = async (...args: string[]): Promise<Running> => {
  const started = await runService(...args)
  running.push(started)
  return started
}

/** The names in a folder, in order; none where there is no folder. */
const namesIn = async (folder: string): Promise<string[]> => (existsSync(folder) ? (await readdir(folder)).toSorted() : [])

/** Where a service keeps its data, and the options that tell a command so. */
interface Place {
  storage: Storage
  options: string[]
}

/** A folder, or the database at this URL. */
const placeOf = async (name: string, databaseUrl: string | undefined): Promise<Place> => {
  const path = join(dir, name)
  if (databaseUrl === undefined) return { storage: { dataDir: path }, options: ['--data', path] }
  await writeFile(`${path}.url`, databaseUrl)
  return { storage: { databaseUrl }, options: ['--database-url-file', `${path}.url`] }
}

/** Starts the service in this process, for tests of what commands do to it. */
const startHere = async ({ storage }: Place): Promise<StartedService> => {
  const started = await startService({ deps: { storage } })
  runningHere.push(started)
  return started
}

/** Lets a service make its database and workspace. */
const bootstrap = async (storage: Storage): Promise<Service> => {
  const service = await createService({ storage })
  await service.close()
  return service
}

const callOf = ({ url }: Running, key: string | undefined) => client(url, key ?? '')

describe('starting', () => {
  test('the first line has the url, the workspace and, only at bootstrap, a key', async () => {
    const first = await serve('--data', dir)
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await callOf(first, first.apiKey)('GET', '/workspace')).body.data['id']).toBe(first.workspaceId)
    await first.stop()
    const second = await serve('--data', dir)
    expect(second.workspaceId).toBe(first.workspaceId)
    expect(second.apiKey).toBeUndefined()
    expect((await callOf(second, first.apiKey)('GET', '/workspace')).status).toBe(200)
  })

  test('--host localhost is 127.0.0.1, so that one server counts all connections', async () => {
    const { url, apiKey = '' } = await serve('--data', dir, '--host', 'localhost')
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect((await client(url, apiKey)('GET', '/workspace')).status).toBe(200)
    await expect(fetch(url.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed')
  })

  test('--mint-key makes a fresh key for the owner, beside those there are', async () => {
    const first = await serve('--data', dir)
    await first.stop()
    const second = await serve('--data', dir, '--mint-key')
    expect(second.apiKey).not.toBe(first.apiKey)
    for (const key of [first.apiKey, second.apiKey]) expect((await callOf(second, key)('GET', '/audit')).status).toBe(200)
  })

  test('keys are kept as hashes only, in a file that only its owner may read', async () => {
    const one = await serve('--data', dir)
    await one.stop()
    const file = join(dir, 'service.db')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const bytes = await readFile(file)
    const secret = one.apiKey?.slice('hf_0123456789abcdef_'.length) ?? ''
    expect(secret).toHaveLength(43)
    expect(bytes.includes(secret)).toBe(false)
  })

  test('logs go to stderr, name requests by route, and hold no key, name or value', async () => {
    const one = await serve('--data', dir)
    const call = callOf(one, one.apiKey)
    await makeEnvironment(call)
    await putVariables(call, { SENTINEL_NAME: 'sentinel value' })
    await call('GET', `${devPath}/variables/SENTINEL_NAME`)
    await call('GET', '/nowhere/SENTINEL_PATH')
    const { stdout, stderr } = await one.stop()
    expect(stdout.trim().split('\n')).toHaveLength(1)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { route?: string; status?: number; key?: string | null })
    expect(
      lines.some(({ route, status }) => route === '/projects/:slug/environments/:environmentSlug/variables/:name' && status === 200),
    ).toBe(true)
    for (const secret of [one.apiKey ?? 'no key', 'SENTINEL', sealed('sentinel value').slice(3)]) expect(stderr).not.toContain(secret)
  })

  test('a start that cannot clean up or begin a run serves all the same, and the log says why', async () => {
    const one = await serve('--data', dir)
    await callOf(one, one.apiKey)('POST', '/projects', { name: 'App', slug: 'app' }, { 'idempotency-key': 'old' })
    await one.stop()
    const database = new Database(join(dir, 'service.db'))
    database.exec(`
      update answers set created_at = '2020-01-01T00:00:00.000Z';
      create trigger no_cleaning before delete on answers begin select raise(abort, 'no room to clean'); end;
      create trigger no_run before insert on gaps begin select raise(abort, 'no room to begin'); end;
    `)
    database.close()
    const again = await serve('--data', dir)
    expect((await callOf(again, one.apiKey)('GET', '/projects/app')).status).toBe(200)
    const { stderr } = await again.stop()
    expect(stderr).toContain('"message":"no room to clean"')
    expect(stderr).toContain('"message":"no room to begin"')
  })

  test.each([
    { what: 'SIGTERM', end: (one: Running) => one.child.kill('SIGTERM'), args: [] },
    { what: 'SIGINT', end: (one: Running) => one.child.kill('SIGINT'), args: [] },
    { what: 'the end of its parent’s pipe', end: (one: Running) => one.child.stdin?.end(), args: ['--parent-watch'] },
  ])('it stops at $what', async ({ end, args }) => {
    const one = await serve('--data', dir, ...args)
    end(one)
    expect(await one.finished).toMatchObject({ code: 0, signal: null })
  })

  test('it stops when its parent is killed and nobody reads its log any more', async () => {
    const main = join(import.meta.dirname, '..', '..', 'service', 'main.ts')
    const args = [main, '--port', '0', '--data', dir, '--parent-watch']
    const parent = spawn(
      process.execPath,
      [
        '-e',
        `const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'pipe' })
         child.stdout.once('data', () => process.stdout.write(String(child.pid)))`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))))
    const lives = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    expect(lives()).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(lives, { timeout: 60_000 }).toBe(false)
  })

  test('without --parent-watch it stays when its stdin ends', async () => {
    const one = await serve('--data', dir)
    one.child.stdin?.end()
    expect((await callOf(one, one.apiKey)('GET', '/workspace')).status).toBe(200)
  })

  test('a stop finishes what was begun', async () => {
    const one = await serve('--data', dir)
    const call = callOf(one, one.apiKey)
    await makeEnvironment(call)
    const writes = Array.from({ length: 40 }, (_, index) =>
      call('POST', `${devPath}/variables`, { name: `N${index}`, value: sealed('x') }).then(
        ({ status }) => (status === 201 ? `N${index}` : status),
        () => 'refused',
      ),
    )
    await writes[0]
    await one.stop()
    const outcomes = await Promise.all(writes)
    const told = outcomes.filter((outcome) => typeof outcome === 'string' && outcome.startsWith('N')).sort()
    expect(outcomes.filter((outcome) => typeof outcome === 'number' && outcome !== 503)).toEqual([])
    const again = await serve('--data', dir)
    const there = [...(await readVariables(callOf(again, one.apiKey))).keys()]
    // What was answered is there.
    expect(there).toEqual(expect.arrayContaining(told))
  })
})

test.each<[environment: Record<string, string>, values: { data?: string }, uses: Storage]>([
  [{ DATA_DIR: '/data' }, {}, { dataDir: '/data' }],
  [{ DATA_DIR: '/data', DATABASE_URL: 'postgres://h/a' }, {}, { databaseUrl: 'postgres://h/a' }],
  [{ DATA_DIR: '/data', DATABASE_URL_FILE: 'url' }, {}, { databaseUrl: 'postgres://h/b' }],
  [{ DATA_DIR: '/data', DATABASE_URL_FILE: 'url', DATABASE_URL: '' }, {}, { databaseUrl: 'postgres://h/b' }],
  [{ DATABASE_URL_FILE: 'url', DATABASE_URL: 'postgres://h/a' }, {}, { databaseUrl: 'postgres://h/a' }],
  [{ DATA_DIR: '/data', DATABASE_URL_FILE: '', DATABASE_URL: '' }, {}, { dataDir: '/data' }],
  [{ DATA_DIR: '/data', DATABASE_URL: 'postgres://h/a' }, { data: 'mine' }, { dataDir: 'mine' }],
])('with the environment %j, the options %j give %j', async (environment, values, uses) => {
  await writeFile(join(dir, 'url'), 'postgres://h/b\n')
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value === 'url' ? join(dir, value) : value)
  expect(storageOf(values)).toEqual(uses)
})

describe('a start that cannot be says why in one sentence', () => {
  test('a port that is taken, which uses up no key', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    const end = await runCommand('--data', dir, '--port', String(port))
    server.close()
    expect(end.code).toBe(1)
    expect(end.stdout).toBe('')
    expect(end.stderr.trim().split('\n').at(-1)).toBe(exitMessage(Object.assign(new Error(), { code: 'EADDRINUSE' })))
    const { url, apiKey = '' } = await serve('--data', dir)
    expect((await client(url, apiKey)('GET', '/workspace')).status).toBe(200)
  })

  test.each([
    { what: 'no storage', args: [], says: 'Set where the data is stored' },
    { what: 'an unknown option', args: ['--dta', 'x'], says: "Unknown option '--dta'" },
    { what: 'an unknown option, with the usage right after it', args: ['--dta', 'x'], says: "'--dta'.\nUsage: " },
    { what: 'an option without its value, with the usage right after it', args: ['--port', '--data', 'x'], says: 'ambiguous.\nUsage: ' },
    { what: 'an unknown command', args: ['frobnicate'], says: '"frobnicate" is not a command.' },
    {
      what: 'a command after an option',
      args: ['--data', 'x', 'keys', 'list'],
      says: 'before all options, and "keys" is after one.\nUsage: ',
    },
    { what: 'a command that every object has', args: ['constructor'], says: '"constructor" is not a command.' },
    { what: 'a port that is none', args: ['--port', '70000', '--data', 'x'], says: 'The port must be a number from 0 to 65535' },
    { what: 'a database URL of another kind', args: ['--database-url', 'mysql://x'], says: 'must begin with postgres://' },
    {
      what: 'a database that does not answer',
      args: ['--database-url', 'postgres://u@127.0.0.1:1/x'],
      says: 'PostgreSQL does not answer',
    },
    { what: 'a log level that is none', args: ['--log-level', 'loud', '--data', 'x'], says: 'The log level must be one of' },
    { what: 'a proxy that is none', args: ['--trust-proxy', 'everybody', '--data', 'x'], says: 'takes the addresses of the proxies' },
    {
      what: 'an address that is none',
      args: ['--host', 'nowhere.invalid', '--data', 'x'],
      says: '--host takes an IP address of this computer',
    },
    { what: 'an empty address, which would be all', args: ['--host', '', '--data', '/dev/null/x'], says: '--host takes an IP address' },
    {
      what: 'a database URL that no one can read',
      args: ['--database-url', 'postgres://127.0.0.1:99999/x'],
      says: 'The database URL can’t be read.',
    },
    { what: 'a file that is not there', args: ['--database-url-file', '/nowhere/url'], says: 'cannot be read: /nowhere/url' },
    { what: 'two databases', args: ['--database-url', 'postgres://h/x', '--database-url-file', 'x'], says: 'Give either' },
    { what: 'a quota that is none', args: ['--max-versions', '1.5', '--data', '/dev/null/x'], says: 'must be a whole number' },
    { what: 'a rate that is none', args: ['--requests-per-minute', 'many', '--data', '/dev/null/x'], says: 'must be a whole number' },
  ])('$what', async ({ args, says }) => {
    const end = await callCommand(...args)
    expect(end.code).toBe(1)
    expect(end.stdout).toBe('')
    expect(end.stderr).toContain(says)
    expect(end.stderr).not.toContain('    at ')
  })

  test.each([{ args: ['--help'] }, { args: ['frobnicate'] }])('$args names every command', async ({ args }) => {
    const { stdout, stderr } = await callCommand(...args)
    for (const command of ['keys', 'workspaces', 'backup', 'restore', 'prune'])
      expect(stdout + stderr).toMatch(new RegExp(`^ +${command} `, 'm'))
  })

  test.each([[['--help']], [['keys', '--help']]])('%j prints the usage alone, which is no failure', async (args) => {
    const end = await callCommand(...args)
    expect({ code: end.code, stderr: end.stderr }).toEqual({ code: 0, stderr: '' })
    expect(end.stdout).toMatch(/^Usage: npm run service -- /)
  })

  test.each(databases)('a command says that no service was started with a database, and makes nothing in it: %s', async (kind) => {
    const url = kind === 'PostgreSQL' ? await createDatabase() : undefined
    const place = await placeOf('unused', url)
    if (url === undefined) {
      await mkdir(join(dir, 'unused'))
      await writeFile(join(dir, 'unused', 'service.db'), '')
    }
    for (const command of ['keys', 'workspaces']) {
      const end = await callCommand(command, 'list', ...place.options)
      expect(end).toMatchObject({ code: 1, stdout: '' })
      expect(end.stderr).toMatch(/start the service (there|with it) first/)
    }
    const store = await openAsIs(place.storage)
    expect(await store.kysely.introspection.getTables()).toEqual([])
    await store.close()
  })

  test.each([
    { what: 'a data folder that is a file', make: (path: string) => writeFile(path, 'x'), says: 'The data folder is a file.' },
    {
      what: 'a database that is none',
      make: async (path: string) => {
        await mkdir(path)
        await writeFile(join(path, 'service.db'), randomBytes(8192))
      },
      says: 'damaged or not a SQLite database',
    },
    {
      what: 'a database of a newer version',
      make: async (path: string) => {
        await bootstrap({ dataDir: path })
        const database = new Database(join(path, 'service.db'))
        database.exec(`insert into schema_migrations values (999, 'later', '')`)
        database.close()
      },
      says: 'written by a newer version',
    },
  ])('$what', async ({ make, says }) => {
    const path = join(dir, 'data')
    await make(path)
    const end = await callCommand('--port', '0', '--data', path)
    expect(end.code).toBe(1)
    expect(end.stderr).toContain(says)
    expect(end.stderr).not.toContain('    at ')
  })

  // Node's own way to create folders never ends there.
  test.runIf(process.platform === 'linux')('a data folder that the system creates nowhere', async () => {
    expect(await callCommand('--port', '0', '--data', '/proc/holdfast/data')).toMatchObject({ code: 1, stdout: '' })
  })

  test('with --parent-watch it ends too, while its parent holds on', async () => {
    await expect(runService('--data', '/dev/null/folder', '--parent-watch')).rejects.toThrow('The data folder is a file.')
  })

  test('a port and a folder that the system refuses are told apart', () => {
    const refused = (syscall: string) => exitMessage(Object.assign(new Error(), { code: 'EACCES', syscall }))
    expect(refused('listen')).toBe('The system doesn’t allow this port. Choose one above 1023 with --port.')
    expect(refused('mkdir')).toBe('The system doesn’t allow this folder. Choose one that you may write to with --data.')
  })

  test.each(['ENOSPC', 'SQLITE_FULL', 'EROFS', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_WRITE', '28P01', '3D000'])(
    '%s has a sentence of its own or its message',
    (code) => {
      expect(exitMessage(Object.assign(new Error('words of the system'), { code }))).toMatch(/^[A-Z].*[.a-z]$/)
    },
  )
})

describe('what others on the computer can see', () => {
  test('a password on the command line is refused, one in a file or the environment is not', async () => {
    const file = join(dir, 'url')
    const url = new URL(await createDatabase())
    await writeFile(file, `${url.href}\n`)
    await bootstrap({ databaseUrl: url.href })
    const onCommandLine = await runCommand('keys', 'list', '--database-url', url.href)
    expect(onCommandLine).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--database-url-file') as string })
    expect(onCommandLine.stderr).not.toContain(url.password)
    expect(await runCommand('keys', 'list', '--database-url-file', file)).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommandIn({ DATABASE_URL: url.href }, 'keys', 'list')).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommandIn({ DATABASE_URL_FILE: file }, 'keys', 'list')).toMatchObject({ code: 0, stderr: '' })
  })

  test.each([
    'postgres://user:word@127.0.0.1:1/x',
    'postgres://user:wo/rd@127.0.0.1:1/x',
    'postgres://user:wo@rd@127.0.0.1:1/x',
    'postgres://:word@127.0.0.1:1/x',
    'postgres://127.0.0.1:1/x?user=u&password=word',
    'postgresql://u@127.0.0.1:1/x?Password=word',
  ])('%s is refused', async (url) => {
    const end = await callCommand('keys', 'list', '--database-url', url)
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('--database-url-file') as string })
    expect(end.stderr).not.toContain('word@')
  })

  test.each(['postgres://user@127.0.0.1:1/x', 'postgres://127.0.0.1:1/x?sslmode=disable', 'postgres://user:@127.0.0.1:1/x'])(
    '%s has no password, and is not refused',
    async (url) => {
      expect((await callCommand('keys', 'list', '--database-url', url)).stderr).toContain('PostgreSQL does not answer')
    },
  )

  test.runIf(process.platform !== 'win32')('no file of the service can be read by them, whatever the umask was', async () => {
    const umask = process.umask(0)
    try {
      const data = join(dir, 'data')
      const first = await serve('--data', data)
      await makeEnvironment(callOf(first, first.apiKey))
      await runCommand('backup', '--to', join(dir, 'backup.jsonl'), '--data', data)
      await runCommand('restore', '--from', join(dir, 'backup.jsonl'), '--data', join(dir, 'other'))
    } finally {
      process.umask(umask)
    }
    const entries = await readdir(dir, { recursive: true })
    expect(entries).toEqual(expect.arrayContaining(['data/service.db', 'data/service.db-wal', 'backup.jsonl', 'other/service.db']))
    for (const name of entries) expect([name, (await stat(join(dir, name))).mode & 0o077]).toEqual([name, 0])
  })

  test('a value that was replaced or deleted is no longer in the database file', async () => {
    const one = await serve('--data', dir)
    const call = callOf(one, one.apiKey)
    await makeEnvironment(call)
    const old = { ROTATED: sealed(`old one ${'x'.repeat(300)}`), DELETED: sealed(`old two ${'y'.repeat(30_000)}`) }
    for (const [name, value] of Object.entries(old)) expect((await call('POST', `${devPath}/variables`, { name, value })).status).toBe(201)
    const rotated = (await readVariables(call)).get('ROTATED')
    await call('PATCH', `/variables/${rotated?.id}`, { value: sealed('new') })
    await call('DELETE', `${devPath}/variables/DELETED`)
    await one.stop()
    const bytes = await readFile(join(dir, 'service.db'))
    expect(bytes.includes(sealed('new'))).toBe(true)
    // Long values are spread over pages: any part of one would show.
    for (const value of Object.values(old))
      for (let at = 0; at + 60 < value.length; at += 60) expect(bytes.includes(value.slice(at, at + 60))).toBe(false)
  })
})

describe('keys', () => {
  const json = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string | null>)

  test('an invited member gets a key from the command line, which can be listed, expires and is revoked', async () => {
    const one = await serve('--data', dir)
    const call = callOf(one, one.apiKey)
    await call('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })
    const stranger = await runCommand('keys', 'create', '--email', 'bob@example.com', '--data', dir)
    expect([stranger.code, stranger.stderr.trim()]).toEqual([1, 'bob@example.com isn’t a member of this workspace. Invite them first.'])

    const made = await runCommand('keys', 'create', '--email', 'Ada@example.com', '--name', 'laptop', '--expires-days', '30', '--data', dir)
    expect(made.code).toBe(0)
    const [key] = json(made.stdout)
    const ada = callOf(one, key?.['apiKey'] ?? undefined)
    expect((await ada('GET', '/workspace')).status).toBe(200)
    expect((await ada('POST', '/projects', { name: 'P', slug: 'p' })).status).toBe(403)
    const members = await call<{ items: { email: string; status: string }[] }>('GET', '/members')
    expect(members.body.data.items.at(-1)).toMatchObject({ email: 'ada@example.com', status: 'active' })

    const listed = json((await runCommand('keys', 'list', '--data', dir)).stdout)
    expect(listed.at(-1)).toMatchObject({ id: key?.['id'], email: 'ada@example.com', name: 'laptop', revokedAt: null })
    expect(listed.at(-1)?.['lastUsedAt']).toMatch(/^\d{4}-/)
    expect(listed.at(-1)?.['expiresAt']).toMatch(/^\d{4}-/)
    expect(JSON.stringify(listed)).not.toContain(key?.['apiKey'])

    expect((await runCommand('keys', 'revoke', String(key?.['id']), '--data', dir)).code).toBe(0)
    // Another process revoked it: known here within a second.
    await expect.poll(async () => (await ada('GET', '/workspace')).status, { timeout: 60_000 }).toBe(401)
    expect((await ada('GET', '/workspace')).body.message).toBe('The API key was revoked. Ask for a new one.')
  })

  test.each([
    { args: ['keys'], says: 'Usage:' },
    { args: ['keys', 'create'], says: 'Set the member with --email.\nUsage:' },
    { args: ['keys', 'create', 'more'], says: 'Usage:' },
    { args: ['keys', 'revoke'], says: 'Usage:' },
    { args: ['workspaces', 'create', '--name', 'Two'], says: 'Set --name, --slug and --owner.\nUsage:' },
    { args: ['keys', 'revoke', 'nothing'], says: 'No key has this id.' },
    { args: ['keys', 'create', '--email', 'owner@localhost', '--expires-days', '0'], says: 'The number of days' },
    { args: ['keys', 'create', '--email', 'owner@localhost', '--name', ''], says: 'A name can’t be empty.' },
    { args: ['keys', 'list', '--workspace', 'another'], says: '--workspace can’t be used here.\nUsage:' },
    { args: ['workspaces', 'list', '--name', 'another'], says: '--name can’t be used here.\nUsage:' },
    { args: ['backup', '--to', 'unwritten', 'more'], says: "Unexpected argument 'more'.\nUsage:" },
    { args: ['backup', '--to', ''], says: 'Set the file to write with --to.' },
    { args: ['backup', '--to', '/nowhere/backup.jsonl'], says: 'Check that the folder exists' },
    { args: ['backup', '--to', join(import.meta.filename, 'backup.jsonl')], says: 'Check that the folder exists' },
    { args: ['restore', '--from', import.meta.dirname, '--replace'], says: 'This isn’t a file.' },
    { args: ['restore', '--from', import.meta.filename, 'more'], says: "Unexpected argument 'more'.\nUsage:" },
  ])('$args is refused', async ({ args, says }) => {
    await bootstrap({ dataDir: dir })
    const end = await callCommand(...args, '--data', dir)
    expect(end.code).toBe(1)
    expect(end.stderr).toContain(says)
  })

  test.each([['keys', 'lst'], ['keys', 'create'], ['keys'], ['workspaces', 'delete'], ['workspaces', 'create', '--name', 'Two']])(
    '%s %s is refused before any data is opened',
    async (...args) => {
      const end = await callCommand(...args, '--data', join(dir, 'nothing'))
      expect({ code: end.code, usage: end.stderr.includes('Usage: ') }).toEqual({ code: 1, usage: true })
    },
  )

  test('a database without a workspace says what makes one', async () => {
    const storage = { dataDir: dir }
    await (await openStore(storage, () => new Date().toISOString())).close()
    const end = await callCommand('keys', 'create', '--email', 'ada@example.com', '--data', dir)
    expect(end).toMatchObject({ code: 1, stderr: 'This database has no workspace. Start the service once: it makes one.\n' })
  })
})

describe.each(databases)('backup and restore on %s', (kind: DatabaseKind) => {
  let place: Place
  let otherPlace: Place
  let urls: string[] = []
  beforeAll(async () => {
    if (kind === 'PostgreSQL') urls = await Promise.all([createDatabase(), createDatabase()])
  })
  beforeEach(async () => {
    place = await placeOf('one', urls[0])
    otherPlace = await placeOf('two', urls[1])
  })
  afterEach(() => Promise.all(urls.map(emptyDatabase)))

  test('a backup taken while the service runs is put back whole, and feed cursors and ETags of what was undone do not pass', async () => {
    const one = await startHere(place)
    const call = client(one.url, one.apiKey)
    await makeEnvironment(call)
    await putVariables(call, Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`N${index}`, `v${index}`])))
    await call('POST', `${devPath}/versions`)
    const kept = await readVariables(call)
    const file = join(dir, 'backup.jsonl')
    expect((await callCommand('backup', '--to', file, ...place.options)).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const id = kept.get('N0')?.id
    const undone = await call('PATCH', `/variables/${id}`, { value: sealed('undone') })
    const feed = await call<{ nextCursor: string }>('GET', '/changes?limit=1000')

    const refused = await callCommand('restore', '--from', file, ...place.options)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('This database already has a workspace')])
    expect((await callCommand('restore', '--from', file, '--replace', ...place.options)).code).toBe(0)

    // The service that runs goes on with what was put back.
    expect(await readVariables(call)).toEqual(kept)
    expect((await call('GET', `/changes?cursor=${feed.body.data.nextCursor}`)).status).toBe(410)
    const again = await call('PATCH', `/variables/${id}`, { value: sealed('another') }, { 'if-match': undone.etag ?? '' })
    expect(again.status).toBe(412)
    const written = await call('PATCH', `/variables/${id}`, { value: sealed('another') }, { 'if-match': kept.get('N0')?.etag ?? '' })
    expect(written.status).toBe(200)
    expect(written.etag).not.toBe(undone.etag)

    expect((await callCommand('restore', '--from', file, ...otherPlace.options)).code).toBe(0)
    const other = await startHere(otherPlace)
    expect(other.workspaceId).toBe(one.workspaceId)
    expect(await readVariables(client(other.url, one.apiKey))).toEqual(kept)
  })

  test('a backup of names, labels and notes with separators of lines and paragraphs is put back', async () => {
    const one = await startHere(place)
    const call = client(one.url, one.apiKey)
    await makeEnvironment(call)
    const text = 'one\u2028two\u2029three'
    await call('PATCH', '/projects/app', { name: text, icon: text })
    await call('POST', `${devPath}/variables`, { name: text, value: sealed('1') })
    await call('POST', `${devPath}/versions`, { label: text, note: text })
    const kept = (await call<{ items: object[] }>('GET', '/changes')).body.data.items
    const file = join(dir, 'backup.jsonl')
    expect((await callCommand('backup', '--to', file, ...place.options)).code).toBe(0)
    expect(await callCommand('restore', '--from', file, ...otherPlace.options)).toMatchObject({ code: 0, stderr: '' })
    const other = await startHere(otherPlace)
    expect((await client(other.url, one.apiKey)<{ items: object[] }>('GET', '/changes')).body.data.items).toEqual(kept)
  })

  /** Gives a service so many values of 4 MiB, as one with a higher limit may have left them; returns the value. */
  const putLarge = async ({ url, apiKey, service }: StartedService, count: number): Promise<string> => {
    const call = client(url, apiKey)
    await makeEnvironment(call)
    const value = `v1:${'A'.repeat(4 * 1024 * 1024 - 16)}`
    await call('POST', `${devPath}/variables`, { name: 'V', value: sealed('small') })
    const { kysely } = service.store
    await kysely.updateTable('variables').set({ value }).execute()
    for (let index = 1; index < count; index++)
      await sql`insert into variables (workspace_id, id, environment_id, name, value, type, is_secret, seq, ordinal, created_at, updated_at, updated_by)
        select workspace_id, ${`id-${index}`}, environment_id, ${`V${index}`}, value, type, is_secret, seq + ${index}, ordinal + ${index}, created_at, updated_at, updated_by
        from variables where name = 'V'`.execute(kysely)
    return value
  }

  test('values of 4 MiB are backed up and restored by a process with little memory', async () => {
    // A process needs 36 to 44 MiB for it, however many values there are. The limit is twice that, and the values are more.
    const count = 24
    const little = { NODE_OPTIONS: '--max-old-space-size=80' }
    const value = await putLarge(await startHere(place), count)
    const file = join(dir, 'backup.jsonl')
    expect(await runCommandIn(little, 'backup', '--to', file, ...place.options)).toMatchObject({ code: 0 })
    expect(await runCommandIn(little, 'restore', '--from', file, ...otherPlace.options)).toMatchObject({ code: 0 })
    const other = await startHere(otherPlace)
    const held = await other.service.store.kysely
      .selectFrom('variables')
      .select(['name', bytesOf('value').as('bytes')])
      .execute()
    expect(new Set(held.map(({ name, bytes }) => `${name} ${bytes}`))).toEqual(
      new Set(Array.from({ length: count }, (_, index) => `V${index === 0 ? '' : index} ${value.length}`)),
    )
  })

  test.each([
    { what: 'cut short', spoil: async (file: string) => writeFile(file, (await readFile(file, 'utf8')).slice(0, -40)) },
    {
      what: 'changed',
      spoil: async (file: string) => writeFile(file, (await readFile(file, 'utf8')).replace('owner@localhost', 'other@localhost')),
    },
    { what: 'added to', spoil: (file: string) => appendFile(file, '{"table":"members","row":{}}\n') },
    { what: 'empty', spoil: (file: string) => writeFile(file, '') },
    { what: 'something else', spoil: (file: string) => writeFile(file, randomBytes(1000)) },
  ])('a backup that is $what is refused and nothing is written', async ({ spoil }) => {
    await bootstrap(place.storage)
    const file = join(dir, 'backup.jsonl')
    await callCommand('backup', '--to', file, ...place.options)
    await chmod(file, 0o600)
    await spoil(file)
    const end = await callCommand('restore', '--from', file, ...otherPlace.options)
    expect([end.code, end.stderr.trim()]).toEqual([1, 'The file is not a complete backup of this service. Copy it again.'])
    expect(await namesIn(join(dir, 'two'))).toEqual([])
    expect((await bootstrap(otherPlace.storage)).apiKey).not.toBeNull()
  })

  test('a restore that fails on its way leaves nothing where nothing was, and another passes', async () => {
    await bootstrap(place.storage)
    const file = join(dir, 'backup.jsonl')
    await callCommand('backup', '--to', file, ...place.options)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const rows = [...lines.slice(0, -1), '{"table":"unheard","row":{}}'].map((line) => `${line}\n`).join('')
    const sum = createHash('sha256').update(rows).digest('hex')
    await writeFile(`${file}.odd`, `${rows}${JSON.stringify({ end: true, rows: lines.length - 1, sha256: sum })}\n`)
    expect((await callCommand('restore', '--from', `${file}.odd`, ...otherPlace.options)).code).toBe(1)
    expect(await namesIn(join(dir, 'two'))).toEqual([])
    expect(await callCommand('restore', '--from', file, ...otherPlace.options)).toMatchObject({ code: 0 })
    if (kind === 'SQLite') expect(await namesIn(join(dir, 'two'))).toEqual(['service.db'])
    expect((await bootstrap(otherPlace.storage)).apiKey).toBeNull()
  })

  test('a backup never overwrites a file', async () => {
    await bootstrap(place.storage)
    const file = join(dir, 'backup.jsonl')
    await writeFile(file, 'mine')
    const end = await callCommand('backup', '--to', file, ...place.options)
    expect(end.code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  test('two backups to one file at once leave one whole file, and tell the other', async () => {
    await bootstrap(place.storage)
    const before = await namesIn(dir)
    const file = join(dir, 'backup.jsonl')
    const ends = await Promise.all([1, 2].map(() => callCommand('backup', '--to', file, ...place.options)))
    expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 1])
    expect(ends.find(({ code }) => code === 1)?.stderr).toContain('already exists')
    expect(await namesIn(dir)).toEqual(['backup.jsonl', ...before].toSorted())
    expect(await callCommand('restore', '--from', file, ...otherPlace.options)).toMatchObject({ code: 0 })
  })

  test('a backup that is stopped leaves nothing behind', async () => {
    const one = await startHere(place)
    const call = client(one.url, one.apiKey)
    await makeEnvironment(call)
    const value = `v1:${'A'.repeat(4 * 1024 * 1024 - 16)}`
    for (const name of ['A', 'B', 'C', 'D']) await call('POST', `${devPath}/variables`, { name, value })
    const out = join(dir, 'out')
    await mkdir(out)
    const backup = startCommand('backup', '--to', join(out, 'backup.jsonl'), ...place.options)
    for await (const _ of watch(out)) break
    backup.child.kill('SIGTERM')
    const { code } = await backup.finished
    // It may have been done by then.
    expect(await namesIn(out)).toEqual(code === 0 ? ['backup.jsonl'] : [])
  })

  /** Stops a process for a while, once it has begun to write a file of this name in the folder. */
  const stopOnce = async ({ child }: Pick<Running, 'child'>, folder: string, name: string): Promise<void> => {
    const names = () => readdir(folder, { recursive: true }).catch(() => [])
    await expect.poll(async () => (await names()).some((path) => path.endsWith(name)), { interval: 2, timeout: 30_000 }).toBe(true)
    child.kill('SIGSTOP')
  }

  test.runIf(process.platform !== 'win32')(
    'the next backup removes what a killed one left, and leaves alone what another one is writing',
    async () => {
      await putLarge(await startHere(place), 12)
      const out = join(dir, 'out')
      await mkdir(out)
      const backUp = (name: string) => ['backup', '--to', join(out, name), ...place.options]
      const first = startCommand(...backUp('first.jsonl'))
      await stopOnce(first, out, 'first.jsonl')
      const unfinished = await namesIn(out)
      expect(unfinished).toEqual([expect.stringContaining('unfinished-backup-')])
      expect(await callCommand(...backUp('second.jsonl'))).toMatchObject({ code: 0 })
      expect(await namesIn(out)).toEqual(['second.jsonl', ...unfinished])
      first.child.kill('SIGKILL')
      await first.finished
      expect(await callCommand(...backUp('third.jsonl'))).toMatchObject({ code: 0 })
      expect(await namesIn(out)).toEqual(['second.jsonl', 'third.jsonl'])
    },
  )

  test.runIf(process.platform !== 'win32' && kind === 'SQLite')(
    'the next start removes what a killed restore left, and leaves alone what another one is writing',
    async () => {
      await putLarge(await startHere(place), 12)
      const file = join(dir, 'backup.jsonl')
      await callCommand('backup', '--to', file, ...place.options)
      const two = join(dir, 'two')
      const restore = startCommand('restore', '--from', file, ...otherPlace.options)
      await stopOnce(restore, two, 'service.db')
      const unfinished = await namesIn(two)
      expect(unfinished).toEqual([expect.stringContaining('restoring-')])
      await bootstrap(otherPlace.storage)
      expect(await namesIn(two)).toEqual([...unfinished, 'service.db'])
      restore.child.kill('SIGKILL')
      await restore.finished
      await bootstrap(otherPlace.storage)
      expect(await namesIn(two)).toEqual(['service.db'])
    },
  )
})
