import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { valueLimit as length } from '../../service/protocol/limits.ts'
import { asShown } from '../support/as-shown.ts'
import { TestClient } from '../support/build-client.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { valueOf } from '../support/value-of.ts'
import { workspaceKey } from './support/data-set.ts'
import { held, heldRows, type Held } from './support/held.ts'
import { rounds } from './support/rounds.ts'
import type { Bench } from './support/row.ts'
import { startService, stopServer } from './support/servers.ts'

/** One variable with the longest value that Holdfast takes is edited, sent, and pulled by a colleague. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const service = await startService({ dir: join(folder, 'service') })
  const open = () => new TestClient({ service, key: workspaceKey(), random: Math.random, parent: folder, values: 'bound' })
  const client = open()
  const other = open()
  client.createProject('App')
  client.createEnvironment('app', 'prod')
  const { id: environmentId } = client.find('environment', client.find('project', null, 'app').id, 'prod')
  client.setVariable(environmentId, 'LARGE', 'x'.padEnd(length, 'x'))
  await client.sync()
  await other.sync()
  const { id } = client.find('variable', environmentId, 'LARGE')
  const { handlers } = deskOf(client)
  const seen: Record<'edit' | 'send' | 'pull', Held[]> = { edit: [], send: [], pull: [] }
  for (let round = 0; round < rounds + 1; round += 1) {
    const value = `${round}`.padEnd(length, 'value')
    const edit = await held(() => valueOf(handlers['variables.update']({ seen: asShown, workspaceId, id, value })))
    const send = await held(() => client.sync())
    if (client.entries().length > 0) throw new Error('the edit was not sent')
    const pull = await held(() => other.sync())
    if (other.contents()['app/prod/LARGE'] !== value) throw new Error('the edit was not pulled')
    if (round === 0) continue
    seen.edit.push(edit)
    seen.send.push(send)
    seen.pull.push(pull)
  }
  await client.close()
  await other.close()
  await stopServer(service)
  rmSync(folder, { recursive: true, force: true })
  return Object.entries(seen).flatMap(([what, taken]) => heldRows(`a value of 512 KiB, ${what}`, taken))
}
