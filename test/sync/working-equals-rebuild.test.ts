import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TestClient } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startFuzzService } from '../fuzz/fuzz-service.ts'

/** One deed of one of two clients; `a` and `b` choose what it is done to. */
const deed = fc.record({
  who: fc.nat(1),
  does: fc.constantFrom(
    'set',
    'set',
    'rename',
    'delete',
    'sync',
    'sync',
    'restart',
    'rename place',
    'delete place',
    'discard',
    'theirs',
    'mine',
  ),
  a: fc.nat(5),
  b: fc.nat(5),
})

const names = ['A', 'B', 'C']

test('any sequence of edits, syncs and restarts leaves working equal to its rebuild from base and queue', async () => {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const run = fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
    const service = await startFuzzService(parent, {})
    const key = randomBytes(32)
    const clients = [1, 2].map((seed) => new TestClient({ service, key, random: seededRandom(seed), parent, fetch: service.fetch }))
    try {
      const [first] = clients
      first?.createProject('Shop')
      for (const name of ['Prod', 'Dev']) first?.createEnvironment('shop', name)
      for (const client of clients) await client.sync()
      for (const { who, does, a, b } of deeds) {
        const client = clients[who]
        if (client === undefined) continue
        await play(client, does, a, b)
        expect(client.drift()).toEqual([])
      }
    } finally {
      for (const client of clients) await client.close()
      await service.close()
    }
  })
  await fc.assert(run, { numRuns: 60 })
})

async function play(client: TestClient, does: string, a: number, b: number): Promise<void> {
  const environments = client.children('project', null).flatMap(({ id }) => client.children('environment', id))
  const environment = environments[a % Math.max(1, environments.length)]
  const name = names[b % names.length] ?? 'A'
  const changes = client.queue()
  const change = changes[a % Math.max(1, changes.length)]
  switch (does) {
    case 'sync':
      return client.sync()
    case 'restart':
      return client.restart()
    case 'discard':
      if (change !== undefined) client.discard(change.id)
      return
    case 'mine':
    case 'theirs':
      if (change?.conflict) client.resolve(change.id, { take: does })
      return
    default:
      if (environment === undefined) return
  }
  const row = client.children('variable', environment.id)[a % Math.max(1, client.children('variable', environment.id).length)]
  if (does === 'set') client.setVariable(environment.id, name, `${a}${b}`)
  else if (does === 'rename' && row) client.updateVariable(row.id, { name })
  else if (does === 'delete' && row) client.deleteRow(row.id)
  else if (does === 'rename place') client.updateParent('environment', environment.id, { slug: `s${b}`, name: `S ${a}` })
  else if (does === 'delete place') client.deleteParent('environment', environment.id)
}
