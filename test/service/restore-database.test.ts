import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createService } from '../../service/app.ts'
import type { ChangeInput } from '../../service/protocol/changes.ts'
import type { KnownRecord, Restored } from '../../service/protocol/thread.ts'
import { restoreDatabase } from '../../service/restore-database.ts'
import { backUp } from '../../service/store/database-backups.ts'
import { databaseFile } from '../../service/store/open-store.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-restore-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const workspaceId = uuid()
const ownerKey = 'key-of-a-test'
const sealed = (bytes: number): string => `v1:${randomBytes(Math.floor(bytes / 4) * 3).toString('base64')}`

/** Runs the service on the data folder for as long as `work` takes. */
const whileServing = async <T>(
  work: (service: {
    ask<Data>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Data>
    send(...changes: ChangeInput[]): Promise<unknown>
    backUp(): Promise<void>
  }) => Promise<T>,
): Promise<T> => {
  const service = await createService({ storage: { dataDir }, workspaceId, ownerKey, openPages: false })
  const ask = async <Data>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${ownerKey}` }
    const reply = await service.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    if (reply.statusCode >= 300) throw new Error(`${method} ${url} answers ${reply.body}`)
    return reply.json<{ data: Data }>().data
  }
  const send = async (...changes: ChangeInput[]) => {
    const { items } = await ask<{ items: { status: string }[] }>('POST', '/changes', { changes })
    if (items.some(({ status }) => status !== 'done')) throw new Error(JSON.stringify(items))
  }
  try {
    return await work({ ask, send, backUp: () => backUp(service.store, dataDir, Date.now()) })
  } finally {
    await service.close()
  }
}

const damageAndRestore = async (records: readonly KnownRecord[]): Promise<Restored> => {
  await writeFile(databaseFile(dataDir), 'not a database '.repeat(1000))
  return restoreDatabase({ do: 'restore', dataDir, workspaceId, records })
}

const project = (fields: { name: string; slug: string }, id = uuid()) => ({ op: 'create', resource: 'project', id, fields }) as const
const environment = (parentId: string, slug: string) =>
  ({ op: 'create', resource: 'environment', id: uuid(), parentId, fields: { name: slug, slug } }) as const
const variable = (parentId: string, name: string, value: string) =>
  ({ op: 'create', resource: 'variable', id: uuid(), parentId, fields: { name, value } }) as const

const shop = project({ name: 'Shop', slug: 'shop' })
const dev = environment(shop.id, 'dev')
const password = variable(dev.id, 'PASSWORD', sealed(60))
const places = [shop, dev, password]

const idsIn = (list: { items: { id: string }[] }): string[] => list.items.map(({ id }) => id)

test.each([
  ['8 values of 700 KB', 8, 700_000],
  ['200 values of 27 KB', 200, 27_000],
])('lays %s over an empty database: more than a request may hold', async (_what, count, bytes) => {
  const variables = Array.from({ length: count }, (_, index) => variable(dev.id, `CERT_${index}`, sealed(bytes)))
  expect(await damageAndRestore([shop, dev, ...variables])).toMatchObject({ from: null, refused: 0 })
  const ids: string[] = []
  await whileServing(async ({ ask }) => {
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { items: { id: string }[]; nextCursor: string | null } = await ask(
        'GET',
        `/projects/shop/environments/dev/variables${cursor === '' ? '' : `?cursor=${cursor}`}`,
      )
      ids.push(...idsIn(page))
      cursor = page.nextCursor
    }
  })
  expect(ids).toEqual(variables.map(({ id }) => id))
})

test.each<[what: string, deleted: readonly ChangeInput[], restored: readonly string[]]>([
  ['a project', [{ op: 'delete', resource: 'project', id: shop.id }], [shop.id]],
  ['an environment', [{ op: 'delete', resource: 'environment', id: dev.id }], [dev.id]],
  [
    'an environment, and later its project',
    [
      { op: 'delete', resource: 'environment', id: dev.id },
      { op: 'delete', resource: 'project', id: shop.id },
    ],
    [shop.id, dev.id],
  ],
])('brings back %s that the backup has as deleted, with ids and versions', async (_what, deleted, restored) => {
  const version = { op: 'create', resource: 'version', id: uuid(), parentId: dev.id, fields: { label: 'first' } } as const
  await whileServing(async ({ ask, send, backUp: copy }) => {
    await send(...places, version)
    for (const change of deleted) await send(change)
    await copy()
    for (const id of restored) await ask('POST', `/deleted/${id}/restore`, {})
  })
  expect(await damageAndRestore(places)).toMatchObject({ from: expect.any(Number) as number, refused: 0 })
  await whileServing(async ({ ask }) => {
    expect(await ask('GET', '/projects/shop')).toMatchObject({ id: shop.id, name: 'Shop' })
    expect(idsIn(await ask('GET', '/projects/shop/environments'))).toEqual([dev.id])
    expect(idsIn(await ask('GET', '/projects/shop/environments/dev/variables'))).toEqual([password.id])
    expect(idsIn(await ask('GET', '/projects/shop/environments/dev/versions'))).toEqual([version.id])
    expect(await ask('GET', '/deleted')).toMatchObject({ items: [] })
  })
})

test('brings back a deleted project whose slug another has in the backup', async () => {
  const other = project({ name: 'Other', slug: 'shop' })
  await whileServing(async ({ send, backUp: copy }) => {
    await send(...places)
    await send({ op: 'delete', resource: 'project', id: shop.id }, other)
    await copy()
  })
  expect(await damageAndRestore([...places, project({ name: 'Other', slug: 'other' }, other.id)])).toMatchObject({ refused: 0 })
  await whileServing(async ({ ask }) => {
    expect(await ask('GET', '/projects/shop')).toMatchObject({ id: shop.id })
    expect(await ask('GET', '/projects/other')).toMatchObject({ id: other.id })
    expect(idsIn(await ask('GET', '/projects/shop/environments/dev/variables'))).toEqual([password.id])
  })
})
