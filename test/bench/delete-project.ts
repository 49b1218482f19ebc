import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asShown } from '../support/as-shown.ts'
import { TestClient } from '../support/build-client.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { fillService, workspaceKey } from './support/data-set.ts'
import { held, heldRows, type Held } from './support/held.ts'
import { rounds } from './support/rounds.ts'
import type { Bench } from './support/row.ts'
import { startService, stopServer } from './support/servers.ts'

const environments = 100
const each = 1000

/** A project of 100,000 variables is deleted, brought back by undo, deleted by redo, and the deletion is sent to a real service until it is done here too. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const filled = await startService({ dir: join(folder, 'filled') })
  await fillService(filled, environments, each)
  const first = new TestClient({ service: filled, key: workspaceKey(), random: Math.random, parent: folder })
  await first.sync()
  first.mirror.close()
  await stopServer(filled)

  const seen: Record<'delete' | 'undo' | 'redo' | 'send', Held[]> = { delete: [], undo: [], redo: [], send: [] }
  for (let round = 0; round < rounds; round += 1) {
    const dir = join(folder, `service-${round}`)
    cpSync(join(folder, 'filled'), dir, { recursive: true })
    const service = await startService({ dir })
    const client = new TestClient({ service, key: workspaceKey(), random: Math.random, parent: folder })
    client.mirror.close()
    copyFileSync(join(first.dir, 'mirror.sqlite'), join(client.dir, 'mirror.sqlite'))
    client.restart()
    const { handlers } = deskOf(client)
    const { id } = client.find('project', null, 'app')
    seen.delete.push(await held(() => handlers['projects.delete']({ workspaceId, id, seen: asShown })))
    seen.undo.push(await held(() => handlers['undo.undo']({ workspaceId })))
    seen.redo.push(await held(() => handlers['undo.redo']({ workspaceId })))
    seen.send.push(await held(() => client.sync()))
    const left = client.baseBelow(id).length + client.entries().length
    if (left > 0) throw new Error(`${left} rows and changes are left`)
    await client.close()
    await stopServer(service)
    rmSync(dir, { recursive: true })
  }
  rmSync(folder, { recursive: true, force: true })
  return Object.entries(seen).flatMap(([what, taken]) => heldRows(`project of 100,000, ${what}`, taken))
}
