import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClient } from '../support/build-client.ts'
import { startService } from '../support/start-service.ts'
import type { Bench, BenchRow } from './main.ts'

const count = 2_000

/** 2,000 edits made offline and sent, over real HTTP to a real service. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const service = await startService()
  const client = new TestClient({ service, key: randomBytes(32), random: Math.random, parent: folder })
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  await client.sync()
  const environment = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  const names = Array.from({ length: count }, (_, n) => `SETTING_${n}`)
  const rows: BenchRow[] = []
  const timed = async (what: string, edit: (name: string) => void): Promise<void> => {
    for (const name of names) edit(name)
    const begun = performance.now()
    await client.sync()
    const seconds = (performance.now() - begun) / 1000
    if (client.queue().length > 0) throw new Error(`${client.queue().length} changes are left`)
    rows.push({ what: `${count} ${what}`, seconds: seconds.toFixed(2), 'per second': Math.round(count / seconds) })
  }
  await timed('creates', (name) => client.setVariable(environment, name, `value of ${name}`))
  await timed('new values', (name) => client.setVariable(environment, name, `another value of ${name}`))
  await timed('deletes', (name) => client.deleteVariable(environment, name))
  await client.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
  return rows
}
