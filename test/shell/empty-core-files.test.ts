import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { firstLine } from '../e2e/drivers/first-line.ts'
import { scanFolder } from '../e2e/scan-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'holdfast-core-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.platform !== 'linux')('a crash leaves no memory in a core file, whatever the shell allows', () => {
  test.each([
    { program: 'the browser host', args: [path.join(root, 'electron/host/main.ts'), '--port', '0', '--no-open', '--data-dir'] },
    { program: 'the service', args: [path.join(root, 'service/main.ts'), '--port', '0', '--data'] },
  ])('$program', async ({ args }) => {
    const sentinel = `sentinel-${'core'.repeat(8)}`
    const command = ['ulimit -c unlimited; exec "$0" "$@"', process.execPath, ...args, path.join(folder, 'data')]
    const child = spawn('sh', ['-c', ...command], {
      cwd: folder,
      // Something that is in its memory for certain.
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', HOLDFAST_SENTINEL: sentinel },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await firstLine(child, 120_000)
    expect(Number.parseInt(readFileSync(`/proc/${child.pid}/coredump_filter`, 'utf8'), 16)).toBe(0)
    const ended = once(child, 'exit')
    child.kill('SIGABRT')
    expect((await ended)[1]).toBe('SIGABRT')
    expect((await scanFolder(folder, [sentinel])).found).toEqual([])
  })
})
