import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkBackup, restoreBackup, writeBackup } from '../../service/store/backup.ts'
import { clean } from '../../service/store/clean.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'
import { usageOf } from './support/usage.ts'

const day = 24 * 3_600_000

describe.each(databases)('the quotas of a workspace on %s', (kind) => {
  const start = useServices(kind)
  const full = (what: string) => ({
    success: false,
    code: 413,
    message: `The workspace is full: this service allows ${what}. Delete some, or ask whoever runs the service for more room.`,
    data: {},
  })

  test('records: creates of every kind are refused, and nothing else is', async () => {
    // The owner, a project and an environment are records too.
    const { call } = await start({ quotas: { records: 5 } })
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    const refused = full('5 projects, environments, variables and members')
    expect((await call('POST', `${devPath}/variables`, { name: 'C', value: sealed('3') })).body).toStrictEqual(refused)
    expect((await call('POST', '/projects', { name: 'Two', slug: 'two' })).body).toStrictEqual(refused)
    expect((await call('POST', '/projects/app/environments', { name: 'Two', slug: 'two' })).body).toStrictEqual(refused)
    expect((await call('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })).body).toStrictEqual(refused)
    const id = (await readVariables(call)).get('A')?.id
    expect((await call('PATCH', `/variables/${id}`, { value: sealed('another') })).status).toBe(200)
    expect((await call('POST', `${devPath}/versions`)).status).toBe(201)
    await call('DELETE', `${devPath}/variables/A`)
    expect((await call('POST', `${devPath}/variables`, { name: 'C', value: sealed('3') })).status).toBe(201)
  })

  test('records: of a batch the items that fit are done, and each of the others is 413', async () => {
    const { call } = await start({ quotas: { records: 5 } })
    const { environmentId } = await makeEnvironment(call)
    const create = (name: string) => ({
      op: 'create',
      resource: 'variable',
      id: randomUUID(),
      parentId: environmentId,
      fields: { name, value: sealed(name) },
    })
    const reply = await call<{ items: { code?: number }[] }>('POST', '/changes', { changes: ['A', 'B', 'C', 'D'].map(create) })
    expect(reply.body.data.items.map(({ code }) => code ?? 'done')).toEqual(['done', 'done', 413, 413])
    expect([...(await readVariables(call)).keys()]).toEqual(['A', 'B'])
  })

  test('versions: another one and a rollback, which saves one, are refused', async () => {
    const { call } = await start({ quotas: { versions: 1 } })
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    await putVariables(call, { A: '2' })
    expect((await call('POST', `${devPath}/versions`)).body).toStrictEqual(full('1 versions'))
    expect((await call('POST', `/versions/${version.body.data.id}/rollback`)).body).toStrictEqual(full('1 versions'))
    const rollback = { op: 'rollback', resource: 'version', id: version.body.data.id }
    const reply = await call<{ items: { code?: number }[] }>('POST', '/changes', { changes: [rollback] })
    expect(reply.body.data.items[0]?.code).toBe(413)
    expect((await readVariables(call)).get('A')?.value).toBe(sealed('2'))
  })

  test('bytes: what grows is refused, what shrinks or goes is not', async () => {
    const { call } = await start({ quotas: { bytes: 1024 * 1024 } })
    await makeEnvironment(call)
    await putVariables(call, { A: 'x'.repeat(600_000), B: '2' })
    const refused = full('1 MiB of values')
    const ids = await readVariables(call)
    const patch = (name: string, text: string) => call('PATCH', `/variables/${ids.get(name)?.id}`, { value: sealed(text) })
    expect((await call('POST', `${devPath}/versions`)).body).toStrictEqual(refused)
    expect((await patch('B', 'x'.repeat(600_000))).body).toStrictEqual(refused)
    expect((await call('POST', `${devPath}/variables`, { name: 'C', value: sealed('x'.repeat(600_000)) })).body).toStrictEqual(refused)
    expect((await patch('A', 'small')).status).toBe(200)
    expect((await patch('B', 'x'.repeat(600_000))).status).toBe(200)
  })

  test('bytes: an answer kept for its Idempotency-Key counts, and is given back after its day', async () => {
    let now = Date.parse('2026-01-01T00:00:00.000Z')
    const { call, service } = await start({ quotas: { bytes: 3000 }, now: () => now })
    await makeEnvironment(call)
    const create = (name: string) =>
      call('POST', `${devPath}/variables`, { name, value: sealed('x'.repeat(800)) }, { 'idempotency-key': name })
    expect((await create('A')).status).toBe(201)
    expect((await create('B')).body).toStrictEqual(full('0 MiB of values'))
    expect([...(await readVariables(call)).keys()]).toEqual(['A'])
    expect((await create('A')).status).toBe(201)
    now += day + 1
    await clean(service.store, now)
    expect((await call('POST', `${devPath}/variables`, { name: 'B', value: sealed('x'.repeat(800)) })).status).toBe(201)
  })

  test('bytes: of a request that wrote nothing no answer is kept, so who may only read fills nothing', async () => {
    const { call, memberCall, service } = await start({ quotas: { bytes: 1024 * 1024 } })
    await makeEnvironment(call)
    const viewer = await memberCall('viewer')
    const changes = Array.from({ length: 200 }, (_, index) => ({ op: 'nothing', id: `${index}`.padEnd(4096, 'x') }))
    for (const key of ['one', 'two']) {
      const reply = await viewer<{ items: { code: number }[] }>('POST', '/changes', { changes }, { 'idempotency-key': key })
      expect(new Set(reply.body.data.items.map(({ code }) => code))).toEqual(new Set([422]))
    }
    expect((await usageOf(service.store)).said).toMatchObject([{ bytes: 0 }])
  })

  test('bytes: a request that wrote nothing leaves an expired answer of its Idempotency-Key alone', async () => {
    let now = Date.parse('2026-01-01T00:00:00.000Z')
    const { call } = await start({ quotas: { bytes: 3000 }, now: () => now })
    await makeEnvironment(call)
    const create = (name: string) => call('POST', `${devPath}/variables`, { name, value: sealed(name) }, { 'idempotency-key': name })
    expect((await create('A')).status).toBe(201)
    now += day + 1
    const changes = [{ op: 'nothing', id: 'x'.repeat(4000) }]
    const replies = await Promise.all([create('B'), call('POST', '/changes', { changes }, { 'idempotency-key': 'A' }), create('C')])
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 201])
  })

  test('what is deleted and can be restored keeps its room until it is gone for good', async () => {
    let now = Date.parse('2026-01-01T00:00:00.000Z')
    const { call, service } = await start({ quotas: { records: 4, versions: 1 }, now: () => now })
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    await call('POST', `${devPath}/versions`, { note: 'before' })
    expect((await call('DELETE', '/projects/app')).status).toBe(200)
    expect((await call('POST', '/projects', { name: 'Two', slug: 'two' })).status).toBe(413)
    for (let days = 0; days < 31; days++) await clean(service.store, (now += day))
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    expect((await call('POST', `${devPath}/versions`)).status).toBe(201)
  })

  test('many writes that share a commit are counted each, the refused ones not', async () => {
    const { call, service } = await start({ quotas: { records: 13 } })
    await makeEnvironment(call)
    const names = Array.from({ length: 30 }, (_, index) => `N${index}`)
    const replies = await Promise.all(names.map((name) => call('POST', `${devPath}/variables`, { name, value: sealed(name) })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
    expect((await usageOf(service.store)).said).toMatchObject([{ records: 13 }])
  })

  test('a restored backup is counted without the answers that it does not hold', async () => {
    const { call, service } = await start()
    await makeEnvironment(call)
    await call('POST', `${devPath}/variables`, { name: 'A', value: sealed('1') }, { 'idempotency-key': 'k' })
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-quotas-'))
    const file = join(folder, 'backup.jsonl')
    await writeBackup(service.store, file, '2026-01-01T00:00:00.000Z')
    await restoreBackup(service.store, await checkBackup(file), { replace: true, now: Date.now(), randomBytes })
    await rm(folder, { recursive: true })
    const { said, held } = await usageOf(service.store)
    expect(said).toEqual(held)
  })
})
