import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { build } from '../../electron/mirror/tx.ts'
import { startFuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

/** Lets the file grow by so many pages of 4 KiB more and no further: SQLite then answers as on a full disk. */
function leaveRoom(client: TestClient, pages: number): void {
  const pragma = (text: string): number =>
    client.mirror.snapshot((tx) => {
      const compiled = build.selectNoFrom((eb) => eb.lit(1).as('n')).compile()
      const [row] = tx.all<Record<string, number>>({ compile: () => ({ ...compiled, sql: `PRAGMA ${text}`, parameters: [] }) })
      return Object.values(row ?? {})[0] ?? 0
    })
  pragma(`max_page_count = ${pragma('page_count') + pages}`)
}

test('a full disk refuses the edit and nothing else: what was queued stays, sync says why, and all goes on when there is room', async () => {
  const service = await startFuzzService(parent, {})
  open.push(service)
  const join = (seed: number) => {
    const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(seed), parent, fetch: service.fetch })
    open.push(client)
    return client
  }
  const client = join(1)
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  await client.sync()
  const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  leaveRoom(client, 8)
  let kept = 0
  const fill = () => {
    for (;;) {
      client.setVariable(prod, `N${kept + 1}`, 'x'.repeat(3_000))
      kept += 1
    }
  }
  expect(fill).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }))
  expect(kept).toBeGreaterThan(0)
  expect(client.queue()).toHaveLength(kept)
  expect(client.drift()).toEqual([])

  const other = join(2)
  await other.sync()
  const there = other.find('environment', other.find('project', null, 'shop').id, 'prod').id
  for (let n = 1; n <= 20; n += 1) other.setVariable(there, `T${n}`, 'y'.repeat(3_000))
  await other.sync()
  client.engine.start()
  await client.engine.syncNow()
  expect(client.engine.status()).toMatchObject({
    phase: 'offline',
    problem: { kind: 'disk', message: expect.stringContaining('disk is full') },
  })
  await client.engine.stop()
  expect(client.drift()).toEqual([])

  leaveRoom(client, 10_000)
  client.skew = 3_600_000
  await client.sync()
  await other.sync()
  expect(client.queue()).toEqual([])
  expect(Object.keys(client.contents())).toHaveLength(2 + kept + 20)
  expect(other.contents()).toEqual(client.contents())
})
