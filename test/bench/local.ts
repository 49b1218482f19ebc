import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../electron/app/create-app.ts'
import type { Application } from '../../electron/bridge/bridge.ts'
import type { CommandName, Commands, Queries, QueryName } from '../../electron/bridge/contract.ts'
import type { Result } from '../../electron/bridge/result.ts'
import { createDeps } from '../../electron/shell/create-deps.ts'
import { frameAfter, withBuiltPage } from './support/built-page.ts'
import { rounds } from './support/rounds.ts'
import { atMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'

const passphrase = 'measured with patience'

const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const open = async (dataDir: string) => {
  const network = { proxy: 'None', certificates: 'None' }
  const app: Application = valueOf(
    await createApp(createDeps({ shell: 'browser', version: '0', dataDir, log: () => {}, network, fetch: globalThis.fetch })),
  )
  const command = async <N extends CommandName>(name: N, args: Commands[N]['args']) =>
    valueOf((await app.command(name, args)) as Result<Commands[N]['value']>)
  const query = async <N extends QueryName>(name: N, args: Queries[N]['args']) =>
    valueOf((await app.query(name, args)) as Result<Queries[N]['value']>)
  const synced = async (workspaceId: string): Promise<void> => {
    for (;;) {
      const status = await query('sync.status', { workspaceId })
      if (status.state === 'synced' && status.queued === 0) return
      await new Promise((done) => setTimeout(done, 5))
    }
  }
  return { app, command, query, synced }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Wall clock and processor time, of all threads, until the rows are there, and until the service has everything. */
const measure = async ({ query, synced }: Opened, begin: () => Promise<{ workspaceId: string }>) => {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const { workspaceId } = await begin()
  await query('projects.list', { workspaceId })
  await query('environments.list', { workspaceId })
  const rows = performance.now() - startedAt
  await synced(workspaceId)
  const cpu = process.cpuUsage(before)
  return { workspaceId, rows, all: performance.now() - startedAt, cpu: (cpu.user + cpu.system) / 1000 }
}

type Figures = Awaited<ReturnType<typeof measure>>

/** Milliseconds in the built page from a press on the first screen to the frame that shows the workspace: a new one, and the sample. */
const measureScreens = async (): Promise<{ made: number; sample: number }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
  try {
    const { app, command } = await open(dataDir)
    await command('keys.choose', { store: 'vault', passphrase })
    await app.close()
    const firstScreen = (press: string, drawn: string) =>
      withBuiltPage(dataDir, async (page) => {
        await page.getByLabel('Passphrase').fill(passphrase)
        await page.getByRole('button', { name: 'Unlock' }).click()
        await page.getByRole('button', { name: 'Look around' }).waitFor()
        return frameAfter(page, press, drawn)
      })
    // The sample is deleted with its host, so that the next one shows the first screen again.
    const sample = await firstScreen('.choice:nth-child(1)', '[data-testid="variable-row"]')
    const made = await firstScreen('.choice:nth-child(2)', '[aria-label="New project name"]')
    return { made, sample }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** What a person waits for at the first start of a local workspace, at the next one, and for the sample. */
export const bench: Bench = async () => {
  const screens: Awaited<ReturnType<typeof measureScreens>>[] = []
  for (let run = 0; run < rounds; run++) screens.push(await measureScreens())
  const made: Figures[] = []
  const again: Figures[] = []
  const sample: Figures[] = []
  for (let run = 0; run < rounds; run++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
    const first = await open(dataDir)
    await first.command('keys.choose', { store: 'vault', passphrase })
    made.push(await measure(first, () => first.command('workspaces.start-local', {})))
    sample.push(await measure(first, () => first.command('workspaces.look-around', {})))
    await first.app.close()

    const next = await open(dataDir)
    await next.command('keys.unlock', { passphrase })
    const [row] = await next.query('workspaces.list', {})
    const workspaceId = row?.id ?? ''
    again.push(await measure(next, async () => ({ workspaceId })))
    await next.app.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  const wanted = { 'new local workspace': made, sample, 'local workspace again': again }
  const rows = Object.entries(wanted).flatMap(([what, figures]): Row[] => [
    { what: `${what}, rows on the screen`, unit: 'ms', ours: figures.map(({ rows }) => rows) },
    { what: `${what}, synced`, unit: 'ms', ours: figures.map(({ all }) => all) },
    { what: `${what}, processor`, unit: 'ms', ours: figures.map(({ cpu }) => cpu) },
  ])
  return [
    { what: 'new local workspace, press to its first screen', unit: 'ms', ours: screens.map(({ made }) => made), goal: atMost(500) },
    { what: 'sample, press to its first screen', unit: 'ms', ours: screens.map(({ sample }) => sample), goal: atMost(700) },
    ...rows,
  ]
}
