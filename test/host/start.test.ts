import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const executable = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'

let folder: string
const running: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-start-'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Starts Holdfast as `npm start` does, with a shell script in the place of Electron. */
function start(script: string, args: string[] = [], env: Record<string, string> = {}) {
  const electron = path.join(folder, 'dist', executable)
  mkdirSync(path.dirname(electron), { recursive: true })
  writeFileSync(electron, `#!/bin/sh\n${script}\n`)
  chmodSync(electron, 0o755)
  const child = spawn(process.execPath, ['electron/host/start.ts', '--no-open', '--data-dir', path.join(folder, 'data'), ...args], {
    cwd: root,
    env: { ...process.env, DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: path.join(folder, 'dist'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  const says = async (words: RegExp) => {
    await expect.poll(() => output, { timeout: 170_000, interval: 50 }).toMatch(words)
    return words.exec(output)?.[1] ?? ''
  }
  return { child, ended, says, output: () => output }
}

describe('where no window can be opened, one sentence says why and the address follows', () => {
  const missing = 'echo "electron: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127'
  test.each([
    ['a missing library', missing, ['--no-sandbox'], {}, /libnss3\.so.* is missing/],
    [
      'a display that cannot be opened',
      'echo "Missing X server or \\$DISPLAY" >&2; exit 1',
      ['--no-sandbox'],
      {},
      /display can't be opened/,
    ],
    ['no Electron', 'exit 0', ['--no-sandbox'], { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' }, /ELECTRON_OVERRIDE_DIST_PATH/],
  ] as [string, string, string[], Record<string, string>, RegExp][])('%s', async (_name, script, args, env, why) => {
    const { child, ended, says, output } = start(script, args, env)
    const url = await says(/^Open (http:\/\/127\.0\.0\.1:\d+\/page\/\?token=[\w-]+)$/m)
    expect(output()).toMatch(/^Holdfast opens in your browser, because .+\.$/m)
    expect(output()).toMatch(why)
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(200)

    // The spent address leads to a fresh one, which lets in.
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(401)
    const fresh = await says(/Open [^\n]+\n(?:.*\n)*Open (\S+)/)
    expect((await fetch(fresh, { redirect: 'manual' })).status).toBe(200)

    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('where Electron runs', () => {
  test('its exit code is ours, and no browser is spoken of', async () => {
    const { ended, output } = start('exit 7', ['--no-sandbox'])
    expect(await ended).toEqual([7, null])
    expect(output()).not.toContain('browser')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('%s reaches it, and its answer is ours', async (signal) => {
    // Node, since a shell that was started with a signal ignored, as background jobs are, cannot trap it.
    const script = `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1000); console.log('up')`
    const { child, ended, says } = start(`exec '${process.execPath}' -e "${script}"`, ['--no-sandbox'])
    await says(/up/)
    child.kill(signal)
    expect(await ended).toEqual([5, null])
  })

  test('it is given the data folder', async () => {
    const { ended, output } = start('echo "$@"', ['--no-sandbox'])
    await ended
    expect(output().trim()).toBe(`${root} --data-dir ${path.join(folder, 'data')} --no-sandbox`)
  })
})

test('a wrong argument is one sentence and the exit code 1', async () => {
  const { ended, output } = start('exit 0', ['--wrong'])
  expect(await ended).toEqual([1, null])
  expect(output()).toBe("Unknown option '--wrong'. Holdfast takes --port N, --data-dir DIR, --no-open and --no-sandbox.\n")
})
