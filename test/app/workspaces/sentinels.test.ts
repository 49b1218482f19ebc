import { randomBytes as systemRandomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf } from './start-app.ts'

const stage = createStage()
const services: StartedService[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

const passphrase = 'a passphrase to look for'
const value = 'a value to look for 4711'

/** The spellings a secret could be left in. */
const spellings = (secret: Buffer): Buffer[] => [
  secret,
  Buffer.from(secret.toString('base64').replace(/=+$/, '')),
  Buffer.from(secret.toString('base64url')),
  Buffer.from(secret.toString('hex')),
  Buffer.from(secret.toString('utf16le')),
]

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

const bytesOf = async (file: string): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** `file: secret` for everything found. The lock carries no content and is not read: reading it would drop the lock. */
const find = async (folder: string, secrets: Record<string, Buffer>): Promise<string[]> => {
  const found: string[] = []
  for (const file of await filesBelow(folder)) {
    if (file.endsWith('holdfast.lock')) continue
    const bytes = await bytesOf(file)
    for (const [name, secret] of Object.entries(secrets))
      if (spellings(secret).some((spelling) => bytes.includes(spelling))) found.push(`${file}: ${name}`)
  }
  return found
}

test('no file of the data folder carries a key, a passphrase or a value, while it is open and after', async () => {
  const service = await startService()
  services.push(service)
  // Among them is the key that the service of the local workspace is given.
  const drawn: Buffer[] = []
  const randomBytes = (length: number) => {
    const bytes = systemRandomBytes(length)
    if (length === 32) drawn.push(bytes)
    return new Uint8Array(bytes)
  }
  const it = await stage.start({ deps: { randomBytes } })
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const local = valueOf(await it.command('workspaces.start-local', {}))
  const remote = await connectTo(it, service)
  expect(local.recoveryKey).toBeNull()
  for (const { workspaceId } of [local, remote]) {
    const project = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
    const environment = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
    const variable = { workspaceId, environmentId: environment.id, name: 'TOKEN', value, type: 'string' as const, isSecret: true }
    valueOf(await it.command('variables.create', variable))
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
    const version = valueOf(await it.command('versions.create', { workspaceId, environmentId: environment.id }))
    const place = { workspaceId, environmentId: environment.id }
    await it.until('versions.list', place, ({ rows }) => rows.some(({ id, isMirrored }) => id === version.id && isMirrored))
    const shown = await it.query('versions.values', { workspaceId, versionId: version.id, names: ['TOKEN'], reveal: true })
    expect(valueOf(shown)).toMatchObject([{ saved: { text: value } }])
  }
  const keyOf = async (workspaceId: string) =>
    Buffer.from(valueOf(parseWorkspaceKey(valueOf(await it.query('keys.recovery', { workspaceId })).recoveryKey)))
  const secrets = {
    passphrase: Buffer.from(passphrase),
    value: Buffer.from(value),
    'API key': Buffer.from(service.apiKey),
    'workspace key': await keyOf(remote.workspaceId),
    'workspace key of the local workspace': await keyOf(local.workspaceId),
    ...Object.fromEntries(drawn.map((bytes, n) => [`key ${n} drawn`, bytes])),
  }
  // Of each workspace its key, and the key of the service of one.
  expect(drawn).toHaveLength(3)

  const whileOpen = await find(it.dataDir, secrets)
  await it.app.close()
  const after = await find(it.dataDir, secrets)
  expect([...whileOpen, ...after]).toEqual([])
  expect(JSON.stringify(it.logged)).not.toContain(value)
  // The search does find what is there: the name of the variable is in the mirror.
  expect(await find(it.dataDir, { name: Buffer.from('TOKEN') })).not.toEqual([])
})
