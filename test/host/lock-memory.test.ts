import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { deriveVaultKey, type Derivation } from '../../electron/keychain/vault-format.ts'
import { createSocketBridge, type SocketBridge } from '../../src/lib/socket-bridge.ts'
import { firstLine } from '../e2e/drivers/first-line.ts'
import { scanMemory } from '../support/scan-memory.ts'
import { startService } from '../support/start-service.ts'

const root = path.resolve(import.meta.dirname, '../..')

let folder: string
let host: ChildProcess
let bridge: SocketBridge

/** The host in a process of its own, and a tab that is connected to it. */
const startHost = async (): Promise<void> => {
  host = spawn(process.execPath, ['electron/host/main.ts', '--port', '0', '--data-dir', folder, '--no-open'], {
    cwd: root,
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url } = JSON.parse(await firstLine(host, 120_000)) as { url: string }
  const secret = /content="([\w-]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
  const { origin, host: address } = new URL(url)
  const Tab = class extends WebSocket {
    constructor(to: string | URL) {
      super(to, { headers: { origin } } as unknown as string[])
    }
  }
  bridge = createSocketBridge({ url: `ws://${address}/bridge`, secret, page: 'tab', WebSocket: Tab })
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-lock-'))
  await startHost()
})

afterEach(async () => {
  bridge.close()
  host.kill('SIGTERM')
  await once(host, 'close')
  rmSync(folder, { recursive: true, force: true })
})

const word = () => randomBytes(18).toString('hex')
const done = async <T>(answer: Promise<{ ok: true; value: T } | { ok: false; error: { message: string } }>): Promise<T> => {
  const result = await answer
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const keyOfVault = (passphrase: string): Promise<Buffer> => {
  const [header = ''] = readFileSync(path.join(folder, 'keys.vault'), 'utf8').split('\n')
  return deriveVaultKey(passphrase, (JSON.parse(header) as { kdf: Derivation }).kdf)
}

describe.skipIf(process.platform !== 'linux')('the memory of the application', () => {
  test('soon after a lock it holds no key, passphrase or value; before, it held them', async () => {
    const [passphrase, value, edited] = [word(), word(), word()]
    await done(bridge.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId } = await done(bridge.command('workspaces.start-local', {}))
    const project = await done(bridge.command('projects.create', { workspaceId, name: 'Shop' }))
    const environment = await done(bridge.command('environments.create', { workspaceId, projectId: project.id, name: 'production' }))
    const variable = { workspaceId, environmentId: environment.id, type: 'string', isSecret: true } as const
    const { id } = await done(bridge.command('variables.create', { ...variable, name: 'API_KEY', value }))
    await done(bridge.command('variables.create', { ...variable, name: 'DATABASE_URL', value: `postgres://x:${edited}@db/shop` }))
    await done(bridge.query('variables.values', { workspaceId, ids: [id], reveal: true }))
    const exported = { workspaceId, environmentId: environment.id, format: 'env', reveal: true, resolve: true } as const
    expect((await done(bridge.query('export.text', exported))).text).toContain(edited)
    const { recoveryKey } = await done(bridge.query('keys.recovery', { workspaceId }))
    const needles = {
      passphrase,
      value,
      edited,
      'key as text': recoveryKey,
      'key as bytes': Buffer.from(recoveryKey, 'base64'),
      'key of the vault': await keyOfVault(passphrase),
    }
    const pid = host.pid ?? 0
    const before = scanMemory(pid, needles)
    for (const name of ['key as bytes', 'key as text', 'key of the vault']) expect([name, before[name]]).not.toEqual([name, 0])

    await done(bridge.command('keys.lock', {}))

    const nothing = Object.fromEntries(Object.keys(needles).map((name) => [name, 0]))
    await expect.poll(() => scanMemory(pid, needles), { interval: 2000 }).toEqual(nothing)

    await done(bridge.command('keys.unlock', { passphrase }))
    await expect.poll(async () => (await bridge.query('variables.values', { workspaceId, ids: [id], reveal: true })).ok).toBe(true)
    expect((await done(bridge.query('variables.values', { workspaceId, ids: [id], reveal: true })))[0]).toMatchObject({ value })
  })

  test('soon after a locked start has refused a passphrase or a key in place of one, it holds neither', async () => {
    await done(bridge.command('keys.choose', { store: 'vault', passphrase: word() }))
    bridge.close()
    host.kill('SIGTERM')
    await once(host, 'close')
    await startHost()
    const needles = { passphrase: word(), key: randomBytes(32).toString('base64') }
    for (const passphrase of Object.values(needles))
      expect(await bridge.command('keys.unlock', { passphrase })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
    await expect.poll(() => scanMemory(host.pid ?? 0, needles), { interval: 2000 }).toEqual({ passphrase: 0, key: 0 })
  })

  test.each(['HOST', 'DATABASE_HOST_NAME'])('nor a value that refers to %s, whose references are kept', async (name) => {
    const [passphrase, value] = [word(), word()]
    await done(bridge.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId } = await done(bridge.command('workspaces.start-local', {}))
    const project = await done(bridge.command('projects.create', { workspaceId, name: 'Shop' }))
    const { id: environmentId } = await done(
      bridge.command('environments.create', { workspaceId, projectId: project.id, name: 'production' }),
    )
    const variable = { workspaceId, environmentId, type: 'string', isSecret: true } as const
    await done(bridge.command('variables.create', { ...variable, name, value: 'db' }))
    await done(bridge.command('variables.create', { ...variable, name: 'URL', value: `postgres://x:${value}@\${${name}}/shop` }))
    expect(await done(bridge.query('references.problems', { workspaceId, environmentId }))).toEqual([])
    const pid = host.pid ?? 0
    expect(scanMemory(pid, { value })['value']).toBeGreaterThan(0)
    await done(bridge.command('keys.lock', {}))
    await expect.poll(() => scanMemory(pid, { value }), { interval: 2000 }).toEqual({ value: 0 })
  })

  test('nor after much use: what a connection answered, exports and large imports leave no copy', async () => {
    const service = await startService()
    onTestFinished(() => service.close())
    const [passphrase, sentinel] = [word(), word()]
    await done(bridge.command('keys.choose', { store: 'vault', passphrase }))
    const answered = await done(
      bridge.command('workspaces.connect', {
        baseUrl: service.url,
        apiKey: service.apiKey,
        allowInsecure: false,
        workspaceKey: null,
        confirmNoValues: true,
      }),
    )
    const { workspaceId } = answered
    const { recoveryKey } = await done(bridge.query('keys.recovery', { workspaceId }))
    const project = await done(bridge.command('projects.create', { workspaceId, name: 'Shop' }))
    const environment = await done(bridge.command('environments.create', { workspaceId, projectId: project.id, name: 'production' }))
    const place = { workspaceId, environmentId: environment.id }
    const needles = { value: sentinel, 'key as text': recoveryKey, 'key as bytes': Buffer.from(recoveryKey, 'base64') }
    const ids: string[] = []
    for (let count = 0; count < 30; count += 1) {
      const value = `${sentinel}-${'x'.repeat(count * 10)}`
      const { id } = await done(
        bridge.command('variables.create', { ...place, name: `NAME_${count}`, value, type: 'string', isSecret: true }),
      )
      ids.push(id)
      await done(bridge.query('variables.values', { workspaceId, ids, reveal: true }))
      const format = (['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes'] as const)[count % 6] ?? 'env'
      await done(bridge.query('export.text', { ...place, format, reveal: true, resolve: false }))
      // Long enough for a thread of its own.
      if (count % 3 === 0)
        await done(bridge.query('import.preview', { ...place, text: `LARGE=${sentinel}${'y'.repeat(100_000 + count * 1000)}` }))
    }
    const pid = host.pid ?? 0
    expect(scanMemory(pid, needles)['value']).toBeGreaterThan(0)

    await done(bridge.command('keys.lock', {}))

    const nothing = { value: 0, 'key as text': 0, 'key as bytes': 0 }
    await expect.poll(() => scanMemory(pid, needles), { interval: 2000 }).toEqual(nothing)
  })

  test.each(['import.preview', 'import.apply'] as const)('nor of a text that is still being read by %s', async (name) => {
    const [passphrase, sentinel] = [word(), word()]
    await done(bridge.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId } = await done(bridge.command('workspaces.start-local', {}))
    const project = await done(bridge.command('projects.create', { workspaceId, name: 'Shop' }))
    const { id } = await done(bridge.command('environments.create', { workspaceId, projectId: project.id, name: 'production' }))
    const text = Array.from({ length: 40_000 }, (_, n) => `NAME_${n}=${sentinel}-${n}\n`).join('')
    const args = { workspaceId, environmentId: id, text, token: 'reading' }
    const reading = name === 'import.preview' ? bridge.query(name, args) : bridge.command(name, { ...args, seen: 0 })
    await expect.poll(async () => done(bridge.query('import.progress', { token: 'reading' }))).toMatchObject({ stage: 'reading' })

    await done(bridge.command('keys.lock', {}))

    expect((await reading).ok).toBe(false)
    await expect.poll(() => scanMemory(host.pid ?? 0, { value: sentinel }), { interval: 2000 }).toEqual({ value: 0 })
  })

  test.each([
    ['UTF-8, each quote escaped', 'x"$'],
    ['UTF-16, where a copy has two bytes a letter', 'ü\u2028'],
  ])('nor after many large exports: %s', async (_how, filling) => {
    const sentinel = word()
    await done(bridge.command('keys.choose', { store: 'vault', passphrase: word() }))
    const { workspaceId } = await done(bridge.command('workspaces.start-local', {}))
    const project = await done(bridge.command('projects.create', { workspaceId, name: 'Shop' }))
    const environment = await done(bridge.command('environments.create', { workspaceId, projectId: project.id, name: 'production' }))
    const place = { workspaceId, environmentId: environment.id }
    for (let count = 0; count < 100; count += 1) {
      const variable = {
        name: `NAME_${count}`,
        value: `${sentinel}-${filling.repeat(count * 30)}`,
        type: 'string',
        isSecret: true,
      } as const
      await done(bridge.command('variables.create', { ...place, ...variable }))
    }
    // Some 25 MB of plain text in all.
    for (let count = 0; count < 10; count += 1) {
      for (const format of ['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes'] as const)
        await done(bridge.query('export.text', { ...place, format, reveal: true, resolve: count % 2 === 0 }))
      await done(bridge.query('text.read', place))
    }
    const pid = host.pid ?? 0
    expect(scanMemory(pid, { value: sentinel })['value']).toBeGreaterThan(0)

    await done(bridge.command('keys.lock', {}))

    await expect.poll(() => scanMemory(pid, { value: sentinel }), { interval: 2000 }).toEqual({ value: 0 })
  })
})

test.skipIf(process.platform === 'win32')('a host that stood still for as long as a sleep is locked when it goes on', async () => {
  await done(bridge.command('keys.choose', { store: 'vault', passphrase: word() }))
  const { workspaceId } = await done(bridge.command('workspaces.start-local', {}))
  host.kill('SIGSTOP')
  await sleep(12_000)
  // Asked while it sleeps, answered when it is awake.
  const asked = bridge.query('keys.recovery', { workspaceId })
  host.kill('SIGCONT')
  expect(await asked).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  expect((await done(bridge.query('app.status', {}))).keys).toMatchObject({ state: 'locked', by: 'system' })
})
