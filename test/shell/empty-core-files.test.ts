import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { firstLine } from '../e2e/drivers/first-line.ts'
import { scanFolder } from '../e2e/scan-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const sentinel = `sentinel-${'core'.repeat(8)}`

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'holdfast-core-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a program from a shell that allows core files, in a folder of its own, with `sentinel` in its memory for certain. */
function startDumping(name: string, command: readonly string[]) {
  const cwd = path.join(folder, name)
  mkdirSync(cwd)
  const child = spawn('sh', ['-c', 'ulimit -c unlimited; exec "$0" "$@"', ...command], {
    cwd,
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', HOLDFAST_SENTINEL: sentinel },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return { child, cwd }
}

/** The files that a program left in its folder when it crashed. */
const leftIn = (cwd: string) => readdirSync(cwd).filter((name) => name !== 'data')

describe.skipIf(process.platform !== 'linux')('a crash leaves no memory in a core file, whatever the shell allows', () => {
  test.each<{ program: string; signal: NodeJS.Signals; args: string[] }>([
    { program: 'the browser host', signal: 'SIGSEGV', args: ['electron/host/main.ts', '--port', '0', '--no-open', '--data-dir', 'data'] },
    { program: 'the service', signal: 'SIGABRT', args: ['service/main.ts', '--port', '0', '--data', 'data'] },
  ])('$program', async ({ signal, args: [main = '', ...args] }) => {
    const plain = startDumping('plain', ['sh', '-c', 'kill -ABRT $$'])
    await once(plain.child, 'exit')
    const { child, cwd } = startDumping('ours', [process.execPath, path.join(root, main), ...args])
    await firstLine(child, 120_000)
    expect(Number.parseInt(readFileSync(`/proc/${child.pid}/coredump_filter`, 'utf8'), 16)).toBe(0)
    const ended = once(child, 'exit')
    child.kill(signal)
    expect((await ended)[1]).toBe(signal)
    expect((await scanFolder(cwd, [sentinel])).found).toEqual([])
    // Where the system writes core files of other programs, with their memory in them, it has written this one too.
    expect(leftIn(cwd)).toHaveLength(leftIn(plain.cwd).length)
    expect((await scanFolder(plain.cwd, [sentinel])).found).toHaveLength(leftIn(plain.cwd).length)
  })
})
