import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { TestClient } from '../support/build-client.ts'
import { workspaceKey } from './support/data-set.ts'
import { held, heldRows, type Held } from './support/held.ts'
import { rounds } from './support/rounds.ts'
import type { Bench } from './support/row.ts'

/** Change feeds of hostile services are read, each into an empty mirror. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const worker = new Worker(new URL('support/hostile-service.worker.ts', import.meta.url))
  const [{ port, names }] = (await once(worker, 'message')) as [{ port: number; names: string[] }]
  const seen = names.map((): Held[] => [])
  for (let round = 0; round < rounds + 1; round += 1) {
    for (const [index, taken] of seen.entries()) {
      const service = { url: `http://127.0.0.1:${port}/${index}`, apiKey: 'key', workspaceId: 'w' }
      const client = new TestClient({ service, key: workspaceKey(), random: Math.random, parent: folder, values: 'bound' })
      const reading = await held(() => client.sync())
      if (round > 0) taken.push(reading)
      await client.close()
    }
  }
  await worker.terminate()
  rmSync(folder, { recursive: true, force: true })
  return names.flatMap((name, index) => heldRows(`a hostile feed: ${name}`, seen[index] ?? []))
}
