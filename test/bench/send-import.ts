import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asShown } from '../support/as-shown.ts'
import { TestClient } from '../support/build-client.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { valueOf } from '../support/value-of.ts'
import { fillService, nameOf, plainValue, workspaceKey } from './support/data-set.ts'
import { held, heldRows, type Held } from './support/held.ts'
import { rounds } from './support/rounds.ts'
import type { Bench } from './support/row.ts'
import { startService, stopServer } from './support/servers.ts'

const environments = 100
const each = 1000

/** 100,000 variables are imported offline, and then sent to a real service until the queue is empty. */
export const bench: Bench = async () => {
  const sent: Held[] = []
  for (let round = 0; round < rounds; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
    const service = await startService({ dir: join(folder, 'service') })
    await fillService(service, environments, 0)
    const client = new TestClient({ service, key: workspaceKey(), random: Math.random, parent: folder })
    await client.sync()
    const { handlers } = deskOf(client)
    const project = client.find('project', null, 'app').id
    const text = Array.from({ length: each }, (_, n) => `${nameOf(n)}="${plainValue()}"\n`).join('')
    for (let n = 0; n < environments; n += 1) {
      const environmentId = client.find('environment', project, `env-${n}`).id
      await valueOf(handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text }))
    }
    sent.push(await held(() => client.sync()))
    if (client.entries().length > 0) throw new Error(`${client.entries().length} changes are left`)
    await client.close()
    await stopServer(service)
    rmSync(folder, { recursive: true, force: true })
  }
  return heldRows('import of 100,000, send', sent)
}
