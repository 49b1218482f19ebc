import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { ChangeAnswer } from '../../service/protocol/changes.ts'
import type { DeletedRecord } from '../../service/protocol/records.ts'
import { checkBackup, restoreBackup, writeBackup } from '../../service/store/backup.ts'
import { clean } from '../../service/store/clean.ts'
import { prune } from '../../service/store/prune.ts'
import { writeIn } from '../../service/store/write.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import type { TestService } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

const day = 24 * 3_600_000

interface FeedItem {
  resource: string
  id: string
  deleted: boolean
  record: Record<string, unknown> | null
}

const feedAfter = async (call: Call, from: string | null): Promise<{ items: FeedItem[]; cursor: string }> => {
  const items: FeedItem[] = []
  let cursor = from
  for (;;) {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const { data } = (await call<{ items: FeedItem[]; nextCursor: string; more: boolean }>('GET', `/changes?limit=1000${query}`)).body
    items.push(...data.items)
    cursor = data.nextCursor
    if (!data.more) return { items, cursor }
  }
}

/** Everything below the workspace as the feed shows it, without what every new commit changes. */
const everything = async (call: Call) => {
  const { items } = await feedAfter(call, null)
  return new Map(
    items.flatMap(({ resource, id, record }) => {
      if (record === null || resource === 'workspace' || resource === 'member') return []
      const { etag: _, ...rest } = record
      return [[`${resource} ${id}`, rest]]
    }),
  )
}

const listDeleted = async (call: Call, query = '') =>
  (await call<{ items: DeletedRecord[]; nextCursor: string | null }>('GET', `/deleted${query}`)).body.data

const restore = (call: Call, id: string, body?: object, headers?: Record<string, string>) =>
  call('POST', `/deleted/${id}/restore`, body, headers)

const remove = async (call: Call, resource: string, id: string) => {
  const changes = [{ op: 'delete', resource, id }]
  const reply = await call<{ items: ChangeAnswer[] }>('POST', '/changes', { changes })
  expect(reply.body.data.items).toEqual([{ id, status: 'done', record: null }])
}

/** Project `app` with `dev` (three variables, two versions that differ) and an empty `prod`. */
const makeProject = async (call: Call) => {
  const { projectId, environmentId } = await makeEnvironment(call)
  await call('POST', '/projects/app/environments', { name: 'Prod', slug: 'prod' })
  await putVariables(call, { A: '1', B: '2' })
  await call('POST', `${devPath}/variables`, { name: 'SECRET', value: sealed('s'), type: 'number', isSecret: true })
  const first = await call<{ id: string }>('POST', `${devPath}/versions`, { label: 'one', note: 'the first' })
  await putVariables(call, { A: 'changed' })
  await call('DELETE', `${devPath}/variables/B`)
  await putVariables(call, { C: '3' })
  const second = await call<{ id: string }>('POST', `${devPath}/versions`)
  return { projectId, environmentId, versionIds: [first.body.data.id, second.body.data.id] }
}

const archivedRows = async ({ service }: TestService): Promise<number> => {
  const names = ['deletions', ...['projects', 'environments', 'variables', 'versions'].map((name) => `archived_${name}`)]
  let count = 0
  for (const name of names) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(service.store.kysely)
    count += rows[0]?.count ?? 0
  }
  return count
}

describe.each(databases)('what was deleted, on %s', (kind) => {
  const start = useServices(kind)

  test.each([
    { what: 'a project by its address', by: (call: Call) => call('DELETE', '/projects/app'), of: 'project' },
    { what: 'an environment by its address', by: (call: Call) => call('DELETE', devPath), of: 'environment' },
    { what: 'a project by its id', by: (call: Call, id: string) => remove(call, 'project', id), of: 'project' },
    { what: 'an environment by its id', by: (call: Call, id: string) => remove(call, 'environment', id), of: 'environment' },
  ])('$what is restored whole, and the feed brings it as new commits', async ({ by, of }) => {
    const service = await start()
    const { call } = service
    const { projectId, environmentId, versionIds } = await makeProject(call)
    const before = await everything(call)
    const versions = await Promise.all(versionIds.map(async (id) => (await call('GET', `/versions/${id}`)).body.data))
    const inOrder = [...(await readVariables(call)).keys()]
    const id = of === 'project' ? projectId : environmentId

    await by(call, id)
    expect([...(await everything(call)).keys()]).toEqual(of === 'project' ? [] : expect.not.arrayContaining([`environment ${id}`]))
    for (const version of versionIds) expect((await call('GET', `/versions/${version}`)).status).toBe(404)
    const { cursor } = await feedAfter(call, null)

    const reply = await restore(call, id)
    expect(reply.body).toMatchObject({
      success: true,
      code: 200,
      message: 'Restored.',
      data: { id, slug: of === 'project' ? 'app' : 'dev' },
    })
    expect(reply.etag).toBe(reply.body.data['etag'])
    expect(await everything(call)).toEqual(before)
    expect(await Promise.all(versionIds.map(async (version) => (await call('GET', `/versions/${version}`)).body.data))).toEqual(versions)
    expect([...(await readVariables(call)).keys()]).toEqual(inOrder)
    expect((await readVariables(call)).get('SECRET')).toMatchObject({ value: sealed('s'), type: 'number', isSecret: true })

    const { items } = await feedAfter(call, cursor)
    const kinds = items.map(({ resource, deleted }) => (deleted ? 'tombstone' : resource))
    const below = ['version', 'version', 'variable', 'variable', 'variable']
    expect(kinds).toEqual(of === 'project' ? ['project', 'environment', 'environment', ...below] : ['environment', ...below])
    // Who follows from the beginning meets each record once.
    const ids = (await feedAfter(call, null)).items.map((item) => item.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await listDeleted(call)).toEqual({ items: [], nextCursor: null })
    expect(await archivedRows(service)).toBe(0)
    expect((await restore(call, id)).status).toBe(404)
    expect((await call('POST', `/versions/${versionIds[0]}/rollback`)).body.data).toEqual({
      versionLabel: 'one',
      added: 1,
      updated: 1,
      removed: 1,
    })
  })

  test('it is listed with who deleted it, when and how much was in it, last deleted first', async () => {
    let now = Date.parse('2026-05-01T00:00:00.000Z')
    const { call, memberCall } = await start({ now: () => now })
    const { projectId, environmentId } = await makeProject(call)
    const admin = await memberCall('admin')
    await admin('DELETE', devPath)
    now += day
    await call('DELETE', '/projects/app')
    const project: DeletedRecord = {
      id: projectId,
      resource: 'project',
      name: 'App',
      slug: 'app',
      parentId: null,
      deletedAt: '2026-05-02T00:00:00.000Z',
      deletedBy: 'owner@localhost',
      environmentCount: 1,
      variableCount: 0,
      versionCount: 0,
    }
    const environment: DeletedRecord = {
      id: environmentId,
      resource: 'environment',
      name: 'Dev',
      slug: 'dev',
      parentId: projectId,
      deletedAt: '2026-05-01T00:00:00.000Z',
      deletedBy: expect.stringMatching(/^admin-/) as string,
      environmentCount: 0,
      variableCount: 3,
      versionCount: 2,
    }
    expect(await listDeleted(call)).toStrictEqual({ items: [project, environment], nextCursor: null })
    const first = await listDeleted(call, '?limit=1')
    expect(first.items).toStrictEqual([project])
    expect(await listDeleted(call, `?limit=1&cursor=${first.nextCursor}`)).toStrictEqual({ items: [environment], nextCursor: null })
    expect((await call('GET', '/deleted?cursor=x')).status).toBe(400)
  })

  test('where its slug is taken by now it comes back under another', async () => {
    const { call } = await start()
    const { projectId, environmentId } = await makeProject(call)
    await call('DELETE', devPath)
    await call('POST', '/projects/app/environments', { name: 'New', slug: 'dev' })
    expect((await restore(call, environmentId)).status).toBe(409)
    expect((await restore(call, environmentId, { slug: 'prod' })).status).toBe(409)
    expect((await restore(call, environmentId, { slug: 'Not A Slug' })).status).toBe(422)
    expect((await restore(call, environmentId, { slug: 'old' })).body.data).toMatchObject({ id: environmentId, name: 'Dev', slug: 'old' })
    await call('DELETE', '/projects/app')
    await call('POST', '/projects', { name: 'New', slug: 'app' })
    expect((await restore(call, projectId)).status).toBe(409)
    expect((await restore(call, projectId, { slug: 'old' })).body.data).toMatchObject({ id: projectId, slug: 'old' })
    expect((await call('GET', '/projects/old/environments/old/variables/A')).status).toBe(200)
    expect((await call('GET', '/projects/app/environments/old')).status).toBe(404)
  })

  test('an environment comes back only into its project, which may come back first', async () => {
    const { call } = await start()
    const { projectId, environmentId } = await makeProject(call)
    await call('DELETE', devPath)
    await call('DELETE', '/projects/app')
    const early = await restore(call, environmentId)
    expect([early.status, early.body.message]).toEqual([404, 'The project of this environment is deleted. Restore the project first.'])
    expect((await restore(call, projectId)).status).toBe(200)
    expect((await call('GET', devPath)).status).toBe(404)
    expect((await restore(call, environmentId)).status).toBe(200)
    expect((await readVariables(call)).size).toBe(3)
  })

  test('it can be deleted and restored again', async () => {
    const { call } = await start()
    const { projectId } = await makeProject(call)
    const before = await everything(call)
    for (const turn of ['one', 'two']) {
      await remove(call, 'project', projectId)
      const { status, body } = await restore(call, projectId, {}, { 'idempotency-key': turn })
      expect(status).toBe(200)
      expect((await restore(call, projectId, {}, { 'idempotency-key': turn })).body).toEqual(body)
    }
    expect(await everything(call)).toEqual(before)
  })

  test('no new record takes the id of one that could come back', async () => {
    const { call } = await start()
    const { projectId, environmentId } = await makeProject(call)
    const variableId = (await readVariables(call)).get('A')?.id
    await call('DELETE', devPath)
    const prod = (await call<{ id: string }>('GET', '/projects/app/environments/prod')).body.data.id
    const changes = [
      { op: 'create', resource: 'environment', id: environmentId, parentId: projectId, fields: { name: 'E', slug: 'e' } },
      { op: 'create', resource: 'variable', id: variableId, parentId: prod, fields: { name: 'A', value: sealed('1') } },
    ]
    const { items } = (await call<{ items: ChangeAnswer[] }>('POST', '/changes', { changes })).body.data
    expect(items).toMatchObject([{ code: 410 }, { code: 410 }])
    expect((await restore(call, environmentId)).status).toBe(200)
  })

  test.each(['project', 'environment'] as const)(
    'a new %s with the id of a record of the other kind, deleted or not, is refused',
    async (resource) => {
      const { call } = await start()
      const { projectId, environmentId } = await makeProject(call)
      const make = async () => {
        const [id, parent] = resource === 'project' ? [environmentId, {}] : [projectId, { parentId: made }]
        const changes = [{ op: 'create', resource, id, ...parent, fields: { name: 'N', slug: 'n' } }]
        return (await call<{ items: ChangeAnswer[] }>('POST', '/changes', { changes })).body.data.items
      }
      const made = (await call<{ id: string }>('POST', '/projects', { name: 'Other', slug: 'other' })).body.data.id
      expect(await make()).toMatchObject([{ code: 422 }])
      await call('DELETE', devPath)
      await call('DELETE', '/projects/app')
      expect(await make()).toMatchObject([{ code: 422 }])
      expect((await restore(call, projectId)).status).toBe(200)
      expect((await restore(call, environmentId)).status).toBe(200)
    },
  )

  test('after 30 days it is gone for good', async () => {
    let now = Date.parse('2026-05-01T00:00:00.000Z')
    const service = await start({ now: () => now })
    const { call } = service
    const { projectId, environmentId } = await makeProject(call)
    await call('DELETE', devPath)
    await clean(service.service.store, (now += day))
    await call('DELETE', '/projects/app')
    for (let days = 0; days < 29; days++) await clean(service.service.store, (now += day))
    expect((await listDeleted(call)).items.map(({ id }) => id)).toEqual([projectId, environmentId])
    now += 1
    await clean(service.service.store, now)
    expect((await listDeleted(call)).items.map(({ id }) => id)).toEqual([projectId])
    now += day
    await clean(service.service.store, now)
    expect(await archivedRows(service)).toBe(0)
    const contents = await service.service.store.kysely.selectFrom('version_variables').selectAll().execute()
    expect(contents).toEqual([])
    expect((await restore(call, projectId)).status).toBe(404)
  })

  test.each([
    ['a year ahead', 365 * day],
    ['at the year 1970', -Date.parse('2026-05-01T00:00:00.000Z')],
  ])('it outlives a clock that is %s for a while, then and after it is set right', async (_, wrong) => {
    const right = Date.parse('2026-05-01T00:00:00.000Z')
    let now = right
    const service = await start({ now: () => now })
    const { call } = service
    const { projectId, environmentId } = await makeProject(call)
    await call('DELETE', devPath)
    now = right + wrong
    await clean(service.service.store, now)
    await call('DELETE', '/projects/app')
    await clean(service.service.store, now)
    now = right
    await clean(service.service.store, now)
    expect((await listDeleted(call)).items.map(({ id }) => id)).toEqual([projectId, environmentId])
    expect((await restore(call, projectId)).status).toBe(200)
    expect((await restore(call, environmentId)).status).toBe(200)
  })

  test('pruning forgets it with its tombstones', async () => {
    let now = Date.parse('2026-05-01T00:00:00.000Z')
    const service = await start({ now: () => now })
    const { call } = service
    await makeProject(call)
    await call('DELETE', devPath)
    now += day
    await call('DELETE', '/projects/app')
    const before = new Date(now).toISOString()
    expect(
      await writeIn(service.service.store, service.service.workspaceId, { at: before, by: 'test' }, (write) => prune(write, before)),
    ).toMatchObject({
      deletions: 1,
    })
    expect((await listDeleted(call)).items).toMatchObject([{ resource: 'project' }])
  })

  test('a backup holds it', async () => {
    const service = await start()
    const { call } = service
    const { environmentId } = await makeProject(call)
    const variables = await readVariables(call)
    await call('DELETE', devPath)
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-deleted-'))
    const file = join(dir, 'backup.jsonl')
    const { store } = service.service
    await writeBackup(store, file, new Date().toISOString())
    await call('DELETE', '/projects/app')
    await restoreBackup(store, await checkBackup(file), { replace: true, now: Date.now(), randomBytes })
    await rm(dir, { recursive: true })
    expect((await restore(call, environmentId)).status).toBe(200)
    const back = await readVariables(call)
    expect([...back.values()].map(({ id, value }) => [id, value])).toEqual([...variables.values()].map(({ id, value }) => [id, value]))
  })

  test.each([uuid(), 'x', '..%2f'])('nothing can be restored under the id %s', async (id) => {
    const { call } = await start()
    expect((await restore(call, id)).status).toBe(404)
  })

  test('a restore is in the audit list', async () => {
    const { call } = await start()
    const { projectId } = await makeProject(call)
    await call('DELETE', '/projects/app')
    await restore(call, projectId, { slug: 'back' })
    const audit = await call<{ items: object[] }>('GET', '/audit?limit=1')
    expect(audit.body.data.items).toMatchObject([
      { action: 'project.restore', resourceId: projectId, detail: { name: 'App', slug: 'back' } },
    ])
  })
})
