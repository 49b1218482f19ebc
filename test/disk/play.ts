import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import type { Result } from '../../electron/bridge/result.ts'
import { createDice } from '../soak/dice.ts'
import { startService } from '../soak/children.ts'
import { valueOf } from '../support/value-of.ts'
import { difference, without, withRows, type Contents, type Expectation } from './contents.ts'
import { createKillableHost } from './killable-host.ts'
import { createSmallDisk } from './small-disk.ts'

/** One game of main.ts: `node play.ts DISK ELSEWHERE SEED ACTS`. Prints its counts, or what was lost. */

interface Act {
  what: string
  /** What there is once the application has said that it is done. */
  after: (before: Contents) => Contents
  run: () => Promise<Result<unknown>>
  /** Undo takes it back. */
  isStep: boolean
  /** It's saved in parts. */
  isLong?: boolean
}

const [diskFolder = '', elsewhere = '', seed = '', acts = ''] = process.argv.slice(2)
const dice = createDice(Number(seed))
const disk = createSmallDisk(diskFolder)
const service = dice.chance(0.5) ? await startService(elsewhere) : null
const host = await createKillableHost(path.join(diskFolder, 'data'), disk)
const counts = { acts: 0, refused: 0, kills: 0 }

const { workspaceId } = await valueOf(
  service === null
    ? host.bridge().command('workspaces.start-local', {})
    : host.bridge().command('workspaces.connect', {
        baseUrl: service.said.url,
        apiKey: service.said.apiKey,
        allowInsecure: false,
        workspaceKey: null,
        confirmNoValues: true,
      }),
)
const project = await valueOf(host.bridge().command('projects.create', { workspaceId, name: 'Shop' }))
const environment = await valueOf(host.bridge().command('environments.create', { workspaceId, projectId: project.id, name: 'Main' }))
const place = { workspaceId, environmentId: environment.id }
const pageLength = 500

const rowsAt = async (offset: number) =>
  (await valueOf(host.bridge().query('variables.page', { ...place, filter: '', offset, limit: pageLength }))).rows

async function read(): Promise<Contents> {
  const contents = new Map<string, string>()
  for (let rows = await rowsAt(0), offset = 0; rows.length > 0; offset += pageLength, rows = await rowsAt(offset)) {
    const shown = await valueOf(host.bridge().query('variables.values', { workspaceId, ids: rows.map(({ id }) => id), reveal: true }))
    const values = new Map(shown.map((one) => [one.id, 'value' in one ? one.value : 'unreadable']))
    for (const { id, name } of rows) contents.set(name, values.get(id) ?? 'not answered')
  }
  return contents
}

let current: Contents = new Map()
/** Before the last step of undo. */
let beforeStep: Contents | null = null
/**
 * Before an import that a full disk ended in the middle: the next start takes back what of it was not sent, unless the user has edited since.
 */
let beforeHalf: Contents | null = null

async function expectContents(what: string, expected: Expectation): Promise<void> {
  // A busy computer stands still, which the host takes for a sleep: it locks itself.
  await host.unlock(workspaceId)
  const found = await read()
  const problem = difference(expected, found)
  if (problem !== null) throw new Error(`${what}: ${problem}`)
  current = found
}

let typed = 0
const newValue = (): string => `value-${++typed}-${'x'.repeat(dice.below(dice.chance(0.1) ? 20_000 : 200))}`
const newName = (): string => `NAME_${dice.below(5000)}`

async function setOne(): Promise<Act> {
  const rows = await rowsAt(0)
  const row = dice.chance(0.5) && rows.length > 0 ? dice.pick(rows) : undefined
  const [name, value] = [row?.name ?? newName(), newValue()]
  if (row === undefined && current.has(name)) return setOne()
  return {
    what: `a value of ${name}`,
    isStep: true,
    after: (before) => withRows(before, [[name, value]]),
    run: () =>
      row === undefined
        ? host.bridge().command('variables.create', { ...place, name, value, type: 'string', isSecret: null })
        : host.bridge().command('variables.update', { workspaceId, id: row.id, seen: row.rev, value }),
  }
}

async function deleteSome(): Promise<Act> {
  const rows = (await rowsAt(0)).filter(() => dice.chance(0.3))
  if (rows.length === 0) return setOne()
  return {
    what: `a deletion of ${rows.length}`,
    isStep: true,
    after: (before) =>
      without(
        before,
        rows.map(({ name }) => name),
      ),
    run: () => host.bridge().command('variables.delete', { workspaceId, rows: rows.map(({ id, rev }) => ({ id, seen: rev })) }),
  }
}

function importLines(): Act {
  const lines = new Map(Array.from({ length: dice.pick([5, 400, 1200, 4000]) }, () => [newName(), newValue().slice(0, 60)] as const))
  const text = [...lines].map((line) => line.join('=')).join('\n')
  return {
    what: `an import of ${lines.size}`,
    isStep: true,
    isLong: true,
    after: (before) => withRows(before, lines),
    async run() {
      const preview = await host.bridge().query('import.preview', { ...place, text })
      return preview.ok ? host.bridge().command('import.apply', { ...place, text, seen: preview.value.rev }) : preview
    },
  }
}

const saveVersion = (): Act => ({
  what: 'a version',
  isStep: true,
  after: (before) => before,
  run: () => host.bridge().command('versions.create', place),
})

const lock = (): Act => ({
  what: 'a lock',
  isStep: false,
  after: (before) => before,
  async run() {
    const locked = await host.bridge().command('keys.lock', {})
    await host.unlock(workspaceId)
    return locked
  },
})

const pickAct = (): Promise<Act> | Act =>
  dice.pick([setOne, setOne, setOne, deleteSome, importLines, importLines, importLines, saveVersion, lock])()

async function undo(target: Contents): Promise<void> {
  beforeStep = null
  const undone = await host.bridge().command('undo.undo', { workspaceId })
  if (undone.ok) beforeHalf = null
  else counts.refused += 1
  await expectContents('undo', { states: [undone.ok ? target : current] })
}

async function kill(act: Act): Promise<void> {
  counts.kills += 1
  const { after, isLong = false } = act
  const ended = act.run().then(
    ({ ok }) => ok,
    () => false,
  )
  const done = await Promise.race([ended, sleep(dice.below(isLong ? 900 : 30), false)])
  const before = beforeHalf === null || (done && act.isStep) ? [current] : [current, beforeHalf]
  beforeStep = null
  beforeHalf = null
  await host.restart('SIGKILL', workspaceId)
  await host.bridge().command('import.dismiss', { workspaceId })
  const states = done ? before.map(after) : [...before, ...before.map(after)]
  await expectContents(`${act.what}, killed`, { states, isMixed: (isLong && !done) || before.length > 1 })
}

async function play(act: Act): Promise<void> {
  const before = current
  const done = await act.run()
  if (done.ok) {
    if (act.isStep) [beforeStep, beforeHalf] = [before, null]
    return expectContents(act.what, { states: [act.after(before)] })
  }
  counts.refused += 1
  beforeStep = null
  await expectContents(`${act.what}, refused (${done.error.message})`, {
    states: act.isLong === true ? [before, act.after(before)] : [before],
    isMixed: act.isLong === true,
  })
  if (difference({ states: [before] }, current) !== null) beforeHalf ??= before
}

async function restart(): Promise<void> {
  const states = beforeHalf === null ? [current] : [current, beforeHalf]
  beforeStep = null
  beforeHalf = null
  await host.restart(dice.pick(['SIGKILL', 'SIGTERM']), workspaceId)
  await expectContents('a restart', { states, isMixed: states.length > 1 })
}

async function syncAll(): Promise<void> {
  for (let tries = 0; tries < 90; tries++) {
    await host.bridge().command('sync.now', { workspaceId })
    const { state, queued } = await valueOf(host.bridge().query('sync.status', { workspaceId }))
    if (state === 'synced' && queued === 0) return
    await sleep(500)
  }
  throw new Error(`Sync does not end: ${JSON.stringify(await host.bridge().query('sync.status', { workspaceId }))}`)
}

try {
  for (; counts.acts < Number(acts); counts.acts++) {
    if (dice.chance(0.35)) disk.leave(dice.pick([0, 4096, 20_000, 100_000, 400_000, 2_000_000]))
    else if (dice.chance(0.2)) disk.empty()
    if (beforeStep !== null && dice.chance(0.3)) await undo(beforeStep)
    else await (dice.chance(0.15) ? kill : play)(await pickAct())
    if (dice.chance(0.1)) await restart()
  }
  disk.empty()
  await syncAll()
  await expectContents('a sync', { states: [current] })
  await restart()
  console.log(JSON.stringify(counts))
} catch (error) {
  console.error(`act ${counts.acts}: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  disk.empty()
  await host.stop()
  await service?.stop()
}
