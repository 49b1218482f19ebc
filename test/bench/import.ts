import { createOfflineDesk, valueOf, workspaceId } from '../app/imports/offline-desk.ts'
import type { Bench, BenchRow } from './main.ts'
import { asShown } from '../support/as-shown.ts'

const count = 10_000
const text = (round: number): string => Array.from({ length: count }, (_, n) => `SETTING_${n}="value ${n} of round ${round}"\n`).join('')

/** The longest time in which nothing else had its turn, in milliseconds, while `work` ran. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let stopped = false
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!stopped) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  stopped = true
  return longest
}

/** A `.env` of 10,000 lines, from its text to the queue on the disk: new, changed, the same again, and taken back. */
export const bench: Bench = async () => {
  const desk = createOfflineDesk()
  const [environmentId = ''] = await desk.environments('Production')
  const rows: BenchRow[] = []
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const cpu = process.cpuUsage()
    const begun = performance.now()
    const held = await longestHold(work)
    const { user, system } = process.cpuUsage(cpu)
    const took = performance.now() - begun
    rows.push({
      what,
      ms: took.toFixed(0),
      'processor ms': ((user + system) / 1000).toFixed(0),
      'longest hold ms': held.toFixed(0),
    })
  }
  const apply = (round: number) => valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text: text(round) }))
  await timed('preview', () => valueOf(desk.handlers['import.preview']({ workspaceId, environmentId, text: text(1) })))
  await timed('import, all new', () => apply(1))
  await timed('import, all changed', () => apply(2))
  await timed('import, all the same', () => apply(2))
  await timed('undo', () => valueOf(desk.handlers['undo.undo']({ workspaceId })))
  desk.close()
  return rows
}
