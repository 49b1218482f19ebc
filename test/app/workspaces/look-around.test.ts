import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeSampleFolder, removeStaleSamples } from '../../../electron/app/workspaces/sample-folders.ts'
import { sampleEnvironments, sampleProjects } from '../../../electron/app/workspaces/sample-data.ts'
import { createStage, valueOf } from './start-app.ts'

const stage = createStage()
afterEach(stage.clear)
afterEach(() => void vi.unstubAllEnvs())

const samples = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('holdfast-sample-'))

describe('looking around', () => {
  test('shows a filled workspace without a key, a choice or a trace, and is gone at exit', async () => {
    // In a folder of its own: others may look around at the same time.
    const folder = await stage.folder()
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, folder)
    const it = await stage.start({ dataDir: folder })
    const { workspaceId } = valueOf(await it.command('workspaces.look-around', {}))
    expect(valueOf(await it.query('workspaces.list', {}))).toMatchObject([{ id: workspaceId, kind: 'sample', needs: [], problem: null }])

    // At once: nobody waits for its service.
    const projects = valueOf(await it.query('projects.list', { workspaceId }))
    expect(projects.map((project) => project.name).sort()).toEqual(sampleProjects.map((project) => project.name).sort())
    const wanted = sampleProjects.length * sampleEnvironments.length
    const environments = valueOf(await it.query('environments.list', { workspaceId }))
    expect(environments.filter((row) => row.variableCount > 0)).toHaveLength(wanted)
    const production = environments.find((row) => row.slug === 'production')
    const page = valueOf(
      await it.query('variables.page', { workspaceId, environmentId: production?.id ?? '', filter: '', offset: 0, limit: 100 }),
    )
    const secret = page.rows.find((row) => row.isSecret === true)
    const shown = valueOf(await it.query('variables.values', { workspaceId, ids: [secret?.id ?? ''], reveal: true }))
    expect(shown).toMatchObject([{ state: 'shown' }])
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced' && status.queued === 0)

    expect(valueOf(await it.query('app.status', {})).keys.state).toBe('unchosen')
    expect(await readdir(join(it.dataDir, 'workspaces'))).toEqual([])
    expect(await samples(folder)).toHaveLength(1)
    await it.app.close()
    expect(await samples(folder)).toEqual([])
  })

  test('twice gives the same sample; removed, the next one is new', async () => {
    const it = await stage.start()
    const [first, again] = await Promise.all([it.command('workspaces.look-around', {}), it.command('workspaces.look-around', {})])
    expect(valueOf(again)).toEqual(valueOf(first))
    valueOf(await it.command('workspaces.remove', { workspaceId: valueOf(first).workspaceId, discardUnsent: false }))
    expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
    expect(await it.query('projects.list', { workspaceId: valueOf(first).workspaceId })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    const next = valueOf(await it.command('workspaces.look-around', {}))
    expect(next.workspaceId).not.toBe(valueOf(first).workspaceId)
  })

  test('a place in a sample is not where the next start begins', async () => {
    const it = await stage.start()
    const { workspaceId } = valueOf(await it.command('workspaces.look-around', {}))
    valueOf(await it.command('app.remember-place', { workspaceId, environmentId: null }))
    expect(valueOf(await it.query('app.status', {})).place).toEqual({ workspaceId, environmentId: null })
    await it.app.close()
    const next = await stage.start({ dataDir: it.dataDir })
    expect(valueOf(await next.query('app.status', {})).place).toBeNull()
  })
})

describe('samples of earlier runs', () => {
  test('one whose process was killed is removed, one that is open stays', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'holdfast-parent-'))
    try {
      const module = new URL('../../../electron/app/workspaces/sample-folders.ts', import.meta.url).href
      const program = `import { makeSampleFolder } from ${JSON.stringify(module)}
        const made = await makeSampleFolder(${JSON.stringify(parent)})
        console.log(made.value.path)
        setInterval(() => made.value.path, 1000)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
      const stale = await new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())))
      const mine = valueOf(await makeSampleFolder(parent))

      await removeStaleSamples(parent)
      expect([existsSync(stale), existsSync(mine.path)]).toEqual([true, true])
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await removeStaleSamples(parent)
      expect([existsSync(stale), existsSync(mine.path)]).toEqual([false, true])
      await mine.remove()
      expect(existsSync(mine.path)).toBe(false)
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  })
})
