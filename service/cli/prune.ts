import { noteAudit } from '../store/audit.ts'
import { prune as pruneStore } from '../store/prune.ts'
import type { Pruned } from '../store/prune.ts'
import { moveTrimClock } from '../store/trim-clock.ts'
import { listWorkspaces } from '../store/workspaces.ts'
import { writeIn } from '../store/write.ts'
import { commandActor, commandRequestId } from './command-actor.ts'
import { CommandError } from './exit-message.ts'
import type { Output } from './output.ts'
import { readDays, readOptions, storageOptions } from './options.ts'
import { withStore } from './with-store.ts'

const usage = 'Usage: npm run service -- prune --older-than-days N (--data DIR | --database-url-file FILE)'

/** `prune`: removes old tombstones and audit entries; the service may be running. One line of JSON on stdout says how many. */
export const prune = async (args: readonly string[], output: Output): Promise<number> => {
  const { values } = readOptions(args, { ...storageOptions, 'older-than-days': { type: 'string' } }, usage, { words: false })
  const days = readDays(values['older-than-days'])
  if (days === null) throw new CommandError(`Set the age in days with --older-than-days.\n${usage}`)
  const now = Date.now()
  const at = new Date(now).toISOString()
  await withStore(values, async (store) => {
    const before = new Date((await moveTrimClock(store, now)) - days * 86_400_000).toISOString()
    const pruned: Pruned = { tombstones: 0, deletions: 0, audit: 0 }
    for (const { id } of await listWorkspaces(store)) {
      const counts = await writeIn(store, id, { at, by: commandActor.email }, async (write) => {
        const ofOne = await pruneStore(write, before)
        const detail = { before, ...ofOne }
        noteAudit(write, commandActor, commandRequestId, { action: 'workspace.prune', resource: 'workspace', resourceId: id, detail })
        return ofOne
      })
      for (const what of ['tombstones', 'deletions', 'audit'] as const) pruned[what] += counts[what]
    }
    output.print({ before, ...pruned })
  })
  return 0
}
