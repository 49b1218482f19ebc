import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createStage, valueOf } from './start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const passphrase = 'four random words here'
const script = join(import.meta.dirname, 'killed.child.ts')

/** The data folder that a Holdfast leaves which was killed at `point`. */
const leftAt = async (point: 'starting' | 'edited' | 'synced'): Promise<string> => {
  const dataDir = await stage.folder()
  const run = spawnSync(process.execPath, [script, dataDir, passphrase, point], { encoding: 'utf8', timeout: 170_000 })
  if (process.platform !== 'win32' && run.signal !== 'SIGKILL') throw new Error(`It was to be killed:\n${run.stdout}\n${run.stderr}`)
  return dataDir
}

/** Lets a Holdfast edit until it has answered `edits` edits, and kills it; gives what was answered until its end. */
const editUntilKilled = async (dataDir: string, edits: number): Promise<string[]> => {
  const child = spawn(process.execPath, [script, dataDir, passphrase, 'editing'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (text.split('\n').length > edits) child.kill('SIGKILL')
  })
  await once(child, 'close')
  // Without its end, a line was not yet said.
  return text.split('\n').slice(0, -1)
}

describe('killed', () => {
  test('while a local workspace is being made, it leaves none', async () => {
    const dataDir = await leftAt('starting')
    expect(await readdir(join(dataDir, 'workspaces'))).toHaveLength(1)
    const it = await stage.start({ dataDir })
    expect(await readdir(join(dataDir, 'workspaces'))).toEqual([])
    valueOf(await it.command('keys.unlock', { passphrase }))
    expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
    valueOf(await it.command('workspaces.start-local', {}))
  })

  test('right after an edit was answered, it has the workspace, its keys and the edit at the next start', async () => {
    const it = await stage.start({ dataDir: await leftAt('edited') })
    const [row] = valueOf(await it.query('workspaces.list', {}))
    const workspaceId = row?.id ?? ''
    // Locked: names are there, and nothing is asked for but the passphrase.
    expect(row).toMatchObject({ kind: 'local', needs: [], problem: null })
    expect(valueOf(await it.query('projects.list', { workspaceId }))).toMatchObject([{ name: 'Made just before' }])
    valueOf(await it.command('keys.unlock', { passphrase }))
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
    expect(valueOf(await it.query('projects.list', { workspaceId }))).toMatchObject([{ name: 'Made just before', sync: 'synced' }])
  })

  test('right after a local workspace was synced, its service has the edit on disk', async () => {
    const dataDir = await leftAt('synced')
    const [id = ''] = await readdir(join(dataDir, 'workspaces'))
    // What the service has is all there is now.
    for (const name of ['mirror.sqlite', 'mirror.sqlite-wal', 'mirror.sqlite-shm'])
      await rm(join(dataDir, 'workspaces', id, name), { force: true })
    const it = await stage.start({ dataDir })
    valueOf(await it.command('keys.unlock', { passphrase }))
    valueOf(await it.command('repair.run', { workspaceId: id }))
    await it.until('projects.list', { workspaceId: id }, (rows) => rows.some(({ name }) => name === 'Made just before'))
  })

  test('at any moment, a local workspace has every edit that was answered', async () => {
    const dataDir = await stage.folder()
    const answered: string[] = []
    // Killed early, in the middle of syncing what came before, and once more.
    for (const edits of [1, 25, 60]) answered.push(...(await editUntilKilled(dataDir, edits)))
    const it = await stage.start({ dataDir })
    valueOf(await it.command('keys.unlock', { passphrase }))
    const [row] = valueOf(await it.query('workspaces.list', {}))
    const workspaceId = row?.id ?? ''
    const named = (rows: readonly { name: string }[]) => new Set(rows.map(({ name }) => name))
    expect([...named(valueOf(await it.query('projects.list', { workspaceId })))]).toEqual(expect.arrayContaining(answered))
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced' && status.queued === 0)
    const rows = valueOf(await it.query('projects.list', { workspaceId }))
    expect([...named(rows)]).toEqual(expect.arrayContaining(answered))
    expect(rows).toHaveLength(named(rows).size)
  })
})
