import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TestClient } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService } from '../../support/start-service.ts'
import { valueOf } from '../../support/value-of.ts'
import { client } from '../../service/support/client.ts'
import { Person } from '../seen/two-people.ts'

/** The rows that a note names after the database was put back, and the service has written so often since. */
const notedAfter = async (writes: number): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-put-back-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [dir, copy] = [join(folder, 'data'), join(folder, 'copy')]
  let service = await startService({ dir })
  const port = Number(new URL(service.url).port)
  const me = new Person(deskOf(new TestClient({ service, key: new Uint8Array(32).fill(7), random: seededRandom(1) })))
  onTestFinished(() => me.desk.client.close())
  /** The service is stopped, and started again at its address. */
  const restart = async (meanwhile: () => Promise<void>) => {
    await service.close()
    await meanwhile()
    service = await startService({ dir, port })
    me.desk.client.apiKey = service.apiKey
  }
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  for (const name of ['CHANGED', 'SAME']) me.set('prod', name, 'one')
  await me.sync()
  await restart(() => cp(dir, copy, { recursive: true }))
  me.set('prod', 'CHANGED', 'two')
  me.set('prod', 'ADDED', 'one')
  await me.sync()
  await restart(async () => {
    await rm(dir, { recursive: true })
    await cp(copy, dir, { recursive: true })
  })
  const call = client(service.url, service.apiKey)
  for (let count = 0; count < writes; count++) await call('PATCH', '/workspace', { name: `Renamed ${count}` })
  await me.sync()
  await service.close()
  const note = await valueOf(me.handlers['restart.note']({ workspaceId }))
  return (note?.rows ?? []).map(({ name, change }) => `${name} ${change}`).toSorted()
}

test('a service whose database was put back by hand is told of, with every row that changed', async () => {
  expect(await notedAfter(0)).toEqual(['ADDED deleted', 'CHANGED changed'])
})

test('so is one that has written as much since as was undone', async () => {
  expect(await notedAfter(20)).toEqual(['ADDED deleted', 'CHANGED changed'])
})
