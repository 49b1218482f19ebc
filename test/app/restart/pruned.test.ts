import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callCommand } from '../../service/support/run-service.ts'
import { TestClient, type Network } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { valueOf } from '../../support/value-of.ts'
import { Person } from '../seen/two-people.ts'

const key = new Uint8Array(32).fill(7)
const day = 86_400_000
let service: StartedService
let folder: string
let away: Person
let them: Person

const newcomer = (seed: number) => new Person(deskOf(new TestClient({ service, key, random: seededRandom(seed) })))

/** A colleague deletes LEAKED and makes NEW while somebody is away. Three months later, the administrator prunes. */
beforeEach(async () => {
  let now = Date.now() - 100 * day
  service = await startService({ deps: { now: () => now } })
  folder = await mkdtemp(join(tmpdir(), 'holdfast-pruned-'))
  away = newcomer(1)
  them = newcomer(2)
  away.desk.client.createProject('Shop')
  away.desk.client.createEnvironment('shop', 'Prod')
  for (const name of ['A', 'LEAKED']) away.set('prod', name, 'one')
  await away.sync()
  await command('backup', '--to', join(folder, 'backup'))
  away.set('prod', 'MINE', 'one')
  await away.sync()
  await them.sync()
  them.desk.client.deleteVariable(them.environmentId('prod'), 'LEAKED')
  them.set('prod', 'NEW', 'one')
  await them.sync()
  now = Date.now()
  // As after a cleaning on each of the days.
  await service.service.store.kysely.updateTable('trim_clock').set({ at: now }).execute()
  await command('prune', '--older-than-days', '90')
})

afterEach(async () => {
  await away.desk.client.close()
  await them.desk.client.close()
  await service.close()
  await rm(folder, { recursive: true })
})

const command = async (...args: string[]): Promise<void> => {
  const { code, stderr } = await callCommand(...args, '--data', service.dir)
  if (code !== 0) throw new Error(stderr)
}
const noted = async ({ handlers }: Person) =>
  (await valueOf(handlers['restart.note']({ workspaceId })))?.rows.map(({ name, change }) => `${name} ${change}`).toSorted() ?? null

describe('who was away while the service forgot old deletions', () => {
  test('reads everything again and is told of no backup', async () => {
    await away.sync()
    expect(await noted(away)).toBeNull()
    expect(away.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'one', 'shop/prod/MINE': 'one', 'shop/prod/NEW': 'one' })
  })

  test('is told of no backup if the first page deletes an environment with variables', async () => {
    them.desk.client.deleteParent('environment', them.environmentId('prod'))
    await them.sync()
    await away.sync()
    expect([await noted(away), away.contents()]).toEqual([null, { shop: '' }])
  })

  test('is asked about an edit of what others deleted meanwhile', async () => {
    away.set('prod', 'LEAKED', 'two')
    away.set('prod', 'A', 'two')
    await away.sync()
    expect(await away.conflicts()).toMatchObject([{ kind: 'deleted-remotely', name: 'LEAKED' }])
    await them.sync()
    expect([them.value('prod', 'LEAKED'), them.value('prod', 'A')]).toEqual([undefined, 'two'])
  })

  test('has nothing left to send of a deletion of the same', async () => {
    away.desk.client.deleteVariable(away.environmentId('prod'), 'LEAKED')
    await away.sync()
    expect([away.desk.client.queue(), away.value('prod', 'LEAKED')]).toEqual([[], undefined])
  })
})

test('a service that does not say why it rejects a cursor is taken for restored', async () => {
  away.desk.client.network = async (forward, { method, path }) => {
    const answer = await forward()
    if (method !== 'GET' || !path.endsWith('/changes') || answer.ok) return answer
    const { data: _why, ...envelope } = (await answer.json()) as { data: object }
    return Response.json({ ...envelope, data: {} }, { status: answer.status })
  }
  await away.sync()
  expect(await noted(away)).toEqual(['LEAKED deleted', 'NEW added'])
})

describe('a service that was restored from a backup as well is told of', () => {
  /** Only the feed is answered: the rows that it did not show cannot be read. */
  const cutOff: Network = (forward, { path }) => (path.includes('/records/') ? Promise.reject(new Error('cut off')) : forward())

  test.each([
    { when: 'before any of it was read', read: () => Promise.resolve(), told: ['MINE deleted'] },
    { when: 'after all of it was read', read: () => away.sync(), told: ['LEAKED added', 'MINE deleted', 'NEW deleted'] },
    {
      when: 'after some of it was read',
      read: async () => {
        away.desk.client.network = cutOff
        await away.sync()
        away.desk.client.network = (forward) => forward()
        away.desk.client.skew = day
      },
      told: ['MINE deleted', 'NEW deleted'],
    },
  ])('$when', async ({ read, told }) => {
    await read()
    await command('restore', '--from', join(folder, 'backup'), '--replace')
    await away.sync()
    expect(await noted(away)).toEqual(told)
  })
})
