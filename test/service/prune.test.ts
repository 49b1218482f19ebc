import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prune } from '../../service/store/prune.ts'
import { writeIn } from '../../service/store/write.ts'
import { startService } from '../support/start-service.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import type { TestService } from './support/databases.ts'
import { callCommand } from './support/run-service.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'
import { placeOptions } from './support/place-options.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const day = 86_400_000
const begin = Date.parse('2026-01-01T00:00:00.000Z')

interface Page {
  items: { resource: string; id: string; deleted: boolean; record: { name: string } | null }[]
  nextCursor: string
  more: boolean
}

const read = (call: Call, cursor: string | null, limit = 100) =>
  call<Page>('GET', `/changes?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)

const here = async (call: Call): Promise<string> => (await read(call, null, 1000)).body.data.nextCursor

const pruneOf = ({ service }: TestService, before: number) =>
  writeIn(service.store, service.workspaceId, { at: new Date(before).toISOString(), by: 'test' }, (write) =>
    prune(write, new Date(before).toISOString()),
  )

describe.each(databases)('pruning on %s', (kind) => {
  const start = useServices(kind)

  test('old tombstones and audit entries go; who has read past them follows on, who has not gets 410', async () => {
    let now = begin
    const service = await start({ now: () => now })
    const { call } = service
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2', C: '3' })
    const ids = await readVariables(call)
    const first = await here(call)
    await call('DELETE', `${devPath}/variables/A`)
    const second = await here(call)
    now += 10 * day
    await call('DELETE', `${devPath}/variables/B`)
    const third = await here(call)

    expect(await pruneOf(service, begin + 5 * day)).toEqual({ tombstones: 1, deletions: 0, audit: 6 })
    const behind = await read(call, first)
    expect(behind.body).toStrictEqual({
      success: false,
      code: 410,
      message: 'Deletions after this cursor were pruned. Read everything again, starting without a cursor.',
      data: { pruned: true },
    })
    expect((await read(call, second)).body.data.items).toEqual([
      { resource: 'variable', id: ids.get('B')?.id, deleted: true, record: null },
    ])
    expect((await read(call, third)).body.data.items).toEqual([])
    const anew = (await read(call, null)).body.data
    expect(anew.items.filter(({ deleted }) => deleted).map(({ id }) => id)).toEqual([ids.get('B')?.id])
    expect(anew.items.flatMap(({ resource, record }) => (resource === 'variable' && record !== null ? [record.name] : []))).toEqual(['C'])
    const audit = await call<{ items: { action: string }[] }>('GET', '/audit')
    expect(audit.body.data.items.map(({ action }) => action)).toEqual(['variable.delete'])
    // Nothing more is old enough.
    expect(await pruneOf(service, begin + 5 * day)).toEqual({ tombstones: 0, deletions: 0, audit: 0 })
    expect((await read(call, second)).status).toBe(200)
  })

  test('the tombstones of a deleted project have their time too', async () => {
    let now = begin
    const service = await start({ now: () => now })
    const { call } = service
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    await call('POST', `${devPath}/versions`)
    now += day
    await call('DELETE', '/projects/app')
    expect((await pruneOf(service, begin + day)).tombstones).toBe(0)
    expect((await pruneOf(service, begin + day + 1)).tombstones).toBe(5)
  })

  test('records, versions and values stay, however old', async () => {
    let now = begin
    const service = await start({ now: () => now })
    const { call } = service
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    now += 1000 * day
    await pruneOf(service, now)
    expect((await readVariables(call)).get('A')?.value).toBe(sealed('1'))
    expect((await call('GET', `/versions/${version.body.data.id}`)).body.data['variables']).toEqual([{ name: 'A', value: sealed('1') }])
  })

  test('who reads everything for the first time is not sent back by tombstones from before', async () => {
    let now = begin
    const service = await start({ now: () => now })
    const { call } = service
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2', C: '3', D: '4' })
    await call('DELETE', `${devPath}/variables/A`)
    const one = (await read(call, null, 1)).body.data
    now += 10 * day
    await pruneOf(service, now)
    let page = one
    const seen = [...one.items]
    while (page.more) {
      const reply = await read(call, page.nextCursor, 1)
      expect(reply.status).toBe(200)
      page = reply.body.data
      seen.push(...page.items)
    }
    expect(seen.flatMap(({ resource, record }) => (resource === 'variable' && record !== null ? [record.name] : []))).toEqual([
      'B',
      'C',
      'D',
    ])
  })

  test('who was in the middle of it when something was deleted and pruned is sent back', async () => {
    let now = begin
    const service = await start({ now: () => now })
    const { call } = service
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2', C: '3' })
    const page = (await read(call, null, 5)).body.data
    expect(page.items.at(-1)?.record?.name).toBe('A')
    await call('DELETE', `${devPath}/variables/A`)
    now += 10 * day
    await pruneOf(service, now)
    expect((await read(call, page.nextCursor)).status).toBe(410)
  })

  test(`a follower that starts again at 410 holds what the service does, however it is pruned (seed ${seed})`, async () => {
    let now = begin
    const service = await start({ now: () => now })
    const { call } = service
    await makeEnvironment(call)
    const names = fc.subarray(['A', 'B', 'C', 'D', 'E', 'F'], { minLength: 1 })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), names }),
      fc.record({ kind: fc.constant('delete' as const), names }),
      fc.record({ kind: fc.constant('prune' as const), days: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 6 }) }),
    )
    let cursor: string | null = null
    let mirror = new Map<string, string>()
    const follow = async (limit: number): Promise<boolean> => {
      const reply = await read(call, cursor, limit)
      if (reply.status === 410) {
        cursor = null
        mirror = new Map()
        return true
      }
      for (const { resource, id, record } of reply.body.data.items) {
        if (resource !== 'variable') continue
        if (record === null) mirror.delete(id)
        else mirror.set(id, record.name)
      }
      cursor = reply.body.data.nextCursor
      return reply.body.data.more
    }
    let turn = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        for (const one of steps) {
          now += day
          if (one.kind === 'put') await putVariables(call, Object.fromEntries(one.names.map((name) => [name, String(++turn)])))
          else if (one.kind === 'delete') await call('DELETE', `${devPath}/variables`, { names: one.names })
          else if (one.kind === 'prune') await pruneOf(service, now - one.days * day)
          else await follow(one.limit)
        }
        while (await follow(3));
        const live = new Map([...(await readVariables(call))].map(([name, { id }]) => [id, name]))
        expect(mirror).toEqual(live)
      }),
      { seed, numRuns: 25 },
    )
  })

  test('answers kept for an Idempotency-Key are dropped at a start after 24 hours', async () => {
    let now = begin
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-prune-'))
    const first = await start({ now: () => now, ...(kind === 'SQLite' ? { storage: { dataDir: dir } } : {}) })
    await first.call('POST', '/projects', { name: 'One', slug: 'one' }, { 'idempotency-key': 'old' })
    now += 12 * 3_600_000
    await first.call('POST', '/projects', { name: 'Two', slug: 'two' }, { 'idempotency-key': 'young' })
    now += 12 * 3_600_000
    const { storage } = first
    const second = await startService({ deps: { storage, now: () => now } })
    const rows = await second.service.store.kysely.selectFrom('answers').select('idempotency_key').execute()
    await second.close()
    await rm(dir, { recursive: true })
    expect(rows).toEqual([{ idempotency_key: 'young' }])
  })

  test('the command prunes nothing younger when the clock is a year ahead', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-prune-'))
    // As if the clock of the computer were ahead of the service's.
    const service = await start({ now: () => Date.now() - 365 * day, ...(kind === 'SQLite' ? { storage: { dataDir: dir } } : {}) })
    await makeEnvironment(service.call)
    await service.call('DELETE', '/projects/app')
    const end = await callCommand('prune', '--older-than-days', '90', ...placeOptions(service.storage))
    expect(JSON.parse(end.stdout)).toMatchObject({ tombstones: 0, deletions: 0, audit: 0 })
    await service.close()
    await rm(dir, { recursive: true })
  })

  test('the command prunes beside a running service, says how much, and is in the audit list', async () => {
    let now = Date.now() - 100 * day
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-prune-'))
    const service = await start({ now: () => now, ...(kind === 'SQLite' ? { storage: { dataDir: dir } } : {}) })
    const { call } = service
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const cursor = await here(call)
    await call('DELETE', `${devPath}/variables/A`)
    now = Date.now()
    // As after a cleaning on each of the days.
    await service.service.store.kysely.updateTable('trim_clock').set({ at: now }).execute()
    const { storage } = service
    const place = placeOptions(storage)
    const young = await callCommand('prune', '--older-than-days', '365', ...place)
    expect([young.code, JSON.parse(young.stdout)]).toEqual([
      0,
      { before: expect.any(String) as string, tombstones: 0, deletions: 0, audit: 0 },
    ])
    expect((await read(call, cursor)).status).toBe(200)
    const old = await callCommand('prune', '--older-than-days', '90', ...place)
    expect([old.code, JSON.parse(old.stdout)]).toEqual([0, { before: expect.any(String) as string, tombstones: 1, deletions: 0, audit: 4 }])
    expect((await read(call, cursor)).status).toBe(410)
    const audit = await call<{ items: { action: string; actor: string; detail: object }[] }>('GET', '/audit?limit=1')
    expect(audit.body.data.items[0]).toMatchObject({
      action: 'workspace.prune',
      actor: 'command line',
      detail: { tombstones: 1, deletions: 0, audit: 4 },
    })
    await service.close()
    await rm(dir, { recursive: true })
  })
})

test.each([
  { args: [], says: 'Set the age in days with --older-than-days.' },
  { args: ['--older-than-days', '0'], says: 'The number of days must be a whole number' },
  { args: ['--older-than-days', '5', '--data', '/nowhere/at/all'], says: 'This data folder has no database.' },
  { args: ['everything', '--older-than-days', '5'], says: 'Usage:' },
])('prune $args is refused', async ({ args, says }) => {
  const end = await callCommand('prune', ...args)
  expect(end.code).toBe(1)
  expect(end.stdout).toBe('')
  expect(end.stderr).toContain(says)
})
