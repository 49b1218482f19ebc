import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTab, startHost } from '../soak/children.ts'

test.runIf(process.platform !== 'win32')(
  'every file and folder of the data folder is its user’s alone, whatever the umask was',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-private-'))
    const dataDir = path.join(folder, 'data')
    const umask = process.umask(0)
    const starting = startHost(dataDir)
    process.umask(umask)
    const host = await starting
    const bridge = await openTab(host.said.url)
    try {
      const done = async <T>(answer: Promise<{ ok: true; value: T } | { ok: false; error: { message: string } }>): Promise<T> => {
        const result = await answer
        if (!result.ok) throw new Error(result.error.message)
        return result.value
      }
      await done(bridge.command('keys.choose', { store: 'vault', passphrase: 'four random words' }))
      const { workspaceId } = await done(bridge.command('workspaces.start-local', {}))
      await done(bridge.command('projects.add-sample', { workspaceId }))
      await done(bridge.command('settings.set', { theme: 'dark' }))
      const everything = () => [dataDir, ...readdirSync(dataDir, { recursive: true }).map((name) => path.join(dataDir, String(name)))]
      // The service of the workspace makes its database when the first request comes.
      await expect.poll(() => everything().some((name) => name.endsWith('service.db')), { timeout: 60_000 }).toBe(true)
      const open = everything().filter((name) => (statSync(name, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
      expect(open.map((name) => path.relative(folder, name))).toEqual([])
      expect(everything().length).toBeGreaterThan(8)
    } finally {
      bridge.close()
      await host.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
