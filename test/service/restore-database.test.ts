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
  ['6 values of 1 MiB', 6, 1024 * 1024],
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
