import { queueHandlers } from '../../electron/app/queue/queue-handlers.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { createOfflineDesk, workspaceId } from '../app/imports/offline-desk.ts'
import { asShown } from '../support/as-shown.ts'
import { valueOf } from '../support/value-of.ts'
import { nameOf, plainValue, workspaceKey } from './support/data-set.ts'
import { held, heldRows, type Held } from './support/held.ts'
import { rounds } from './support/rounds.ts'
import type { Bench } from './support/row.ts'

const environments = 100
const each = 1000

const openDesk = () => {
  const desk = createOfflineDesk()
  desk.keys.cipher = createWorkspaceCipher(workspaceKey())
  return { desk, queue: queueHandlers(desk.context) }
}

/** 100,000 unsent changes are listed, exported to a file, and applied from it in another Holdfast. */
export const bench: Bench = async () => {
  const from = openDesk()
  const ids = await from.desk.environments(...Array.from({ length: environments }, (_, n) => `Environment ${n}`))
  const text = Array.from({ length: each }, (_, n) => `${nameOf(n)}="${plainValue()}"\n`).join('')
  for (const environmentId of ids) await valueOf(from.desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text }))

  const seen: Record<'list' | 'export' | 'apply', Held[]> = { list: [], export: [], apply: [] }
  // The first round doesn't count.
  for (let round = 0; round < rounds + 1; round += 1) {
    const list = await held(() => valueOf(from.queue['queue.list']({ workspaceId })))
    let file = ''
    const exported = await held(async () => void (file = (await valueOf(from.queue['queue.export']({ workspaceId, format: 'json' }))).text))
    const to = openDesk()
    const apply = await held(() => valueOf(to.queue['queue.apply']({ workspaceId, text: file, seen: asShown })))
    const made = (await valueOf(to.queue['queue.list']({ workspaceId }))).length
    if (made < environments * each) throw new Error(`only ${made} changes were applied`)
    to.desk.close()
    if (round === 0) continue
    seen.list.push(list)
    seen.export.push(exported)
    seen.apply.push(apply)
  }
  from.desk.close()
  return Object.entries(seen).flatMap(([what, taken]) => heldRows(`100,000 unsent changes, ${what}`, taken))
}
