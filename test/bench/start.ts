import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startHost } from './support/host-client.ts'
import { withMirroredFolder } from './support/mirrored-folder.ts'
import type { MirroredFolder } from './support/mirrored-folder.ts'
import { interleave, memoryOf } from './support/rounds.ts'
import { moreThanRivalAtMost, ratioAtMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'

const barePage = join(import.meta.dirname, 'support', 'bare-page.child.ts')
const settleMs = 6000
const searches = ['database', 'payment secret', 'pgtok', 'gateway region 77']

interface Started {
  /** Milliseconds from the start of the process to the first page. */
  start: number
  /** Memory in megabytes once it has come to rest, and after the palette was used. */
  memory: number
  searched: number
}

const ours = async ({ dataDir, workspaceId, environmentId }: MirroredFolder): Promise<Started> => {
  const begun = performance.now()
  const host = await startHost(dataDir)
  const page = await host.query('variables.page', { workspaceId, environmentId, filter: '', offset: 0, limit: 100 })
  const start = performance.now() - begun
  if (page.rows.length !== 100) throw new Error(`the first page has ${page.rows.length} rows`)
  await wait(settleMs)
  const memory = memoryOf(host.pid)
  for (const text of searches) await host.query('find.search', { text, limit: 50 })
  await wait(settleMs)
  const searched = memoryOf(host.pid)
  await host.end()
  return { start, memory, searched }
}

const bare = async ({ file, environmentId }: MirroredFolder): Promise<Started> => {
  const begun = performance.now()
  const child = spawn(process.execPath, [barePage, file, environmentId], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const start = performance.now() - begun
  await wait(500)
  const memory = memoryOf(child.pid)
  child.stdin.end()
  await once(child, 'close')
  return { start, memory, searched: memory }
}

/** From the start of the host to the first page of an environment among 100,000 variables, and the memory it takes afterwards. */
export const bench: Bench = () =>
  withMirroredFolder(async (folder) => {
    const seen = await interleave({ ours: () => ours(folder), bare: () => bare(folder) })
    const row = (what: string, of: keyof Started): Omit<Row, 'unit' | 'goal'> => ({
      what,
      ours: seen.ours.map((one) => one[of]),
      rival: { what: 'bare Node, same file', values: seen.bare.map((one) => one[of]) },
    })
    return [
      { ...row('process start to first page', 'start'), unit: 'ms', goal: ratioAtMost(5) },
      { ...row('memory, 100,000 variables open', 'memory'), unit: 'MB', goal: moreThanRivalAtMost(40) },
      { ...row('memory, palette used', 'searched'), unit: 'MB', goal: moreThanRivalAtMost(60) },
    ]
  })
