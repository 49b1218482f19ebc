import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Starts the browser host on a folder it cannot use, and gives what it said. */
function startOn(dataDir: string): { status: number | null; stderr: string } {
  const args = ['electron/host/main.ts', '--port', '0', '--data-dir', dataDir, '--no-open']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 180_000 })
  return { status, stderr }
}

test('a data folder that cannot be written is told in one sentence', async ({ folder }) => {
  const file = path.join(folder, 'file')
  await writeFile(file, 'not a folder')
  // On Linux even root may not write to /sys.
  const folders = [path.join(file, 'data'), ...(process.platform === 'linux' ? ['/sys/holdfast'] : [])]
  for (const dataDir of folders) {
    const { status, stderr } = startOn(dataDir)
    expect(stderr).toContain(dataDir)
    expect(stderr).toContain('--data-dir')
    expect(stderr).not.toContain('    at ')
    expect(status).toBe(1)
  }
})

test('a data folder that another Holdfast works in is left to it', { tag: '@shell' }, async ({ app }) => {
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  const { status, stderr } = startOn(app.dataDir)
  expect(stderr).toContain('Another Holdfast is already using')
  expect(status).toBe(1)
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
})
