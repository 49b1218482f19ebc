import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = path.join(import.meta.dirname, 'real-keychain.child.ts')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const canRun = process.platform === 'linux' && has('dbus-run-session') && has('gnome-keyring-daemon')
if (!canRun) process.stderr.write('\nSKIPPED: the application on a real keyring: needs Linux with dbus and gnome-keyring.\n\n')

let home = ''
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'holdfast-home-'))
  mkdirSync(path.join(home, 'run'), { mode: 0o700 })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** One start of the application in a session of its own; the keyring in `home` outlives it. */
const startOnce = (before: string): unknown => {
  const child = ['sh', '-c', `${before}; exec "$@"`, 'sh', process.execPath, script, path.join(home, 'data')]
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: path.join(home, 'run'), LANG: 'C.UTF-8' }
  const run = spawnSync('dbus-run-session', ['--', ...child], { encoding: 'utf8', env, timeout: 170_000 })
  const last = run.stdout.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('{')) throw new Error(`The application said nothing:\n${run.stdout}\n${run.stderr}`)
  return JSON.parse(last)
}

const unlocked = 'printf x | gnome-keyring-daemon --unlock --components=secrets > /dev/null'

describe.runIf(canRun)('with a real keyring', () => {
  test('a local workspace takes it without a question, and finds its keys there at the next start', () => {
    const first = startOnce(unlocked)
    expect(first).toMatchObject({
      before: { state: 'unchosen', keychain: 'available' },
      made: { ok: true, value: { recoveryKey: null } },
      after: { state: 'ready', store: 'os' },
    })
    const second = startOnce(unlocked)
    expect(second).toMatchObject({ before: { state: 'ready', store: 'os' }, made: null, needs: [] })
    expect((second as { recovery: unknown }).recovery).toEqual((first as { recovery: unknown }).recovery)
  })
})
