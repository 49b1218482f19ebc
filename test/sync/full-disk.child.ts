import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { startFuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** Run by full-disk.test.ts with a small disk mounted at its first argument: fills it by edits, then by a pull, makes room, and says what it saw. */
const disk = process.argv[2] ?? ''
const service = await startFuzzService(tmpdir(), {})
const join = (seed: number, parent: string) =>
  new TestClient({ service, key: new Uint8Array(32), random: seededRandom(seed), parent, fetch: service.fetch })

const client = join(1, disk)
client.createProject('Shop')
client.createEnvironment('shop', 'Prod')
await client.sync()
const prodOf = (one: TestClient) => one.find('environment', one.find('project', null, 'shop').id, 'prod').id
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error))

let kept = 0
let refusal = ''
while (refusal === '') {
  try {
    client.setVariable(prodOf(client), `N${kept + 1}`, 'x'.repeat(3_000))
    kept += 1
  } catch (error) {
    refusal = codeOf(error)
  }
}
const queued = client.queue().length
const driftWhenFull = client.drift().length

const other = join(2, tmpdir())
await other.sync()
for (let n = 1; n <= 40; n += 1) other.setVariable(prodOf(other), `T${n}`, 'y'.repeat(3_000))
await other.sync()
client.engine.start()
await client.engine.syncNow()
const { phase, problem } = client.engine.status()
await client.engine.stop()
const driftAfterPull = client.drift().length
const unsent = client.queue().length

const remounted = spawnSync('sh', ['-c', 'mount -o remount,size=64m "$1"', 'sh', disk]).status
client.skew = 3_600_000
await client.sync()
await other.sync()
const left = client.queue().length
const same = JSON.stringify(client.contents()) === JSON.stringify(other.contents())
const rows = Object.keys(client.contents()).length
process.stdout.write(
  JSON.stringify({ refusal, kept, queued, driftWhenFull, phase, problem, driftAfterPull, unsent, remounted, left, same, rows }),
)
await client.close()
await other.close()
await service.close()
