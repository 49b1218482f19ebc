import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createStage, valueOf } from './start-app.ts'

const stage = createStage()
afterEach(stage.clear)

const passphrase = 'four random words here'
const script = join(import.meta.dirname, 'killed.child.ts')

/** The data folder that a Holdfast leaves which was killed at `point`. */
const leftAt = async (point: 'starting' | 'edited'): Promise<string> => {
  const dataDir = await stage.folder()
  const run = spawnSync(process.execPath, [script, dataDir, passphrase, point], { encoding: 'utf8', timeout: 170_000 })
  if (process.platform !== 'win32' && run.signal !== 'SIGKILL') throw new Error(`It was to be killed:\n${run.stdout}\n${run.stderr}`)
  return dataDir
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
})
