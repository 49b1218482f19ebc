import { setImmediate as turn } from 'node:timers/promises'
import type { ModelParts } from './model-parts.ts'
import type { Player } from './player.ts'
import { Violation } from './violation.ts'
import { lookAt } from './screen.ts'

/** More than are saved in one go. */
const lines = 301

/** Time as an import measures its parts by: every look at it is so much later. */
const lookMs = 4

/**
 * A large import that its user gives up before, while or after it is saved, at times with a sync in the middle of it. Given up, nothing of
 * it is left and everything it went over is back; done, one undo takes all of it back.
 */
export async function cancelImport(parts: ModelParts, player: Player): Promise<string | null> {
  const { dice, oracle, witness } = parts
  const environment = dice.pick(parts.rows(player, 'environment'))
  if (environment === undefined) return null
  const number = parts.count()
  const isShared = dice.chance(0.5)
  // What a sync sends meanwhile leaves the queue without its user: then the import goes over nothing that was typed.
  const over = isShared ? [] : ['A', 'B', 'C', 'D'].filter(() => dice.chance(0.5))
  const many = Array.from({ length: lines }, (_, n) => `MANY_${number}_${n}`)
  const text = [...over, ...many].map((name) => `${name}="shared~1"`).join('\n')
  const token = `import ${number}`
  const screen = await lookAt(player, oracle)
  const about = { screen, rows: player.client.children('variable', environment.id).map(({ id }) => id), bringsBack: true }
  const isMany = new Set(many)
  const leftOver = () => player.client.children('variable', environment.id).filter(({ fields }) => isMany.has(fields.name ?? ''))
  const contents = () =>
    player.client
      .children('variable', environment.id)
      .map(({ fields }) => `${fields.name} = ${oracle.plain(fields.value?.sealed)}`)
      .toSorted()
      .join()
  const isTooLate = !isShared && dice.chance(0.2)
  const cancelAfter = isTooLate ? lines : dice.from(0, 4)
  const turns = dice.from(1, 6)
  const life = player.life
  const stepsBefore = parts.steps()
  const run = () =>
    withSlowClock(async () => {
      const input = { environmentId: environment.id, text, format: 'env', mode: 'merge', seen: screen.rev, token } as const
      let isOver = false
      const work = player
        .tell('import.apply', input)
        .catch((error: unknown) => {
          if (life === player.life) throw error
          return null
        })
        .finally(() => (isOver = true))
      for (let saved = 0, seen = 0; !isOver && saved < cancelAfter;) {
        await turn()
        const progress = await player.importProgress(token)
        if (progress?.stage !== 'saving' || progress.done === seen) continue
        seen = progress.done
        saved += 1
      }
      const sync = isShared ? parts.syncOne(player) : null
      for (let n = turns; isShared && n > 0; n -= 1) await turn()
      if (life === player.life) await player.tell('import.cancel', { token })
      const done = await work
      await sync
      return done
    })
  const before = contents()
  const done = isShared ? await run() : await witness.around(player, about, run)
  const says = `${environment.fields.slug}: ${over.join()} and ${lines} more, ${isTooLate ? 'not cancelled' : `cancelled after ${cancelAfter}`}`
  if (done === null) return `${says}: crashed`
  if (done.ok) {
    const undone = await witness.around(player, about, () => player.command('undo.undo', {}))
    if (undone.ok && leftOver().length > 0 && parts.steps() === stepsBefore)
      throw new Violation(`${player.name}: one undo left ${leftOver().length} variables of an import behind`)
    return `${says}: done, and undone ${undone.ok}`
  }
  if (parts.steps() === stepsBefore && leftOver().length > 0)
    throw new Violation(`${player.name}: a cancelled import left ${leftOver().length} variables behind`)
  if (!isShared && before !== contents()) throw new Violation(`${player.name}: a cancelled import turned ${before} into ${contents()}`)
  return `${says}: ${done.error.kind}`
}

/** Parts of an import end by the clock, which is another one in every run. */
async function withSlowClock<T>(work: () => Promise<T>): Promise<T> {
  const real = performance.now
  let at = 0
  performance.now = () => (at += lookMs)
  try {
    return await work()
  } finally {
    performance.now = real
  }
}
