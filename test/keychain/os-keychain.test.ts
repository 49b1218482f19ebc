import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = path.join(import.meta.dirname, 'os-keychain.child.ts')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const isLinux = process.platform === 'linux'
const hasBus = isLinux && has('dbus-run-session')
const hasKeyring = hasBus && has('gnome-keyring-daemon')

function tellSkipped(what: string, missing: string) {
  process.stderr.write(`\nSKIPPED: ${what}: ${missing}\n\n`)
}
if (!isLinux) tellSkipped('the keychain on a real Secret Service', 'this is not Linux.')
else if (!hasBus) tellSkipped('the keychain on a real Secret Service', 'dbus-run-session is not installed (Debian: dbus).')
else if (!hasKeyring) tellSkipped('the keychain on a real Secret Service', 'gnome-keyring-daemon is not installed (Debian: gnome-keyring).')

/** A home of its own: what one session keeps in it the next one finds, and nobody's real keyring is touched. */
let home: string
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'keyring-'))
  mkdirSync(path.join(home, 'run'), { mode: 0o700 })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const environment = () => ({ PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: path.join(home, 'run'), LANG: 'C.UTF-8' })

interface Session {
  /** Run in the session before the calls. */
  before?: string
  busArguments?: string[]
  env?: Record<string, string>
  deadlineMs?: number
}

/** The answers to `calls`, made in a D-Bus session that begins and ends with them. */
function inSession(calls: string[][], { before = 'true', busArguments = [], env = {}, deadlineMs = 120_000 }: Session = {}): unknown {
  const shell = `${before}; exec "$@"`
  const child = [process.execPath, script, JSON.stringify(calls), String(deadlineMs)]
  const run = spawnSync('dbus-run-session', [...busArguments, '--', 'sh', '-c', shell, 'sh', ...child], {
    encoding: 'utf8',
    env: { ...environment(), ...env },
  })
  return answersOf(run)
}

function answersOf(run: { stdout: string; stderr: string }): unknown {
  try {
    return JSON.parse(run.stdout.slice(run.stdout.indexOf('[')))
  } catch {
    throw new Error(`The child gave no answers:\n${run.stdout}\n${run.stderr}`)
  }
}

const unlocked = `printf x | gnome-keyring-daemon --unlock --components=secrets > /dev/null`

/**
 * A service that the bus starts when it is asked for, and which runs `command` instead of serving. It lets go of the output that it inherits:
 * the session's end would wait for its end too.
 */
function fakeService(name: string, command: string): Record<string, string> {
  const data = mkdtempSync(path.join(home, 'data-'))
  const services = path.join(data, 'dbus-1', 'services')
  mkdirSync(services, { recursive: true })
  writeFileSync(
    path.join(services, `${name}.service`),
    `[D-BUS Service]\nName=${name}\nExec=/bin/sh -c "exec >/dev/null 2>&1; ${command}"\n`,
  )
  return { XDG_DATA_DIRS: `${data}:/usr/local/share:/usr/share` }
}

describe.runIf(hasKeyring)('with a real keyring', () => {
  test('it is available, and keeps what it is given', () => {
    const long = 'ü'.repeat(4096)
    expect(
      inSession(
        [
          ['probe', 'holdfast one'],
          ['get', 'holdfast one', 'api-key'],
          ['set', 'holdfast one', 'api-key', 'first'],
          ['set', 'holdfast one', 'api-key', 'SENTINEL grün 🦀\n'],
          ['set', 'holdfast one', 'long', long],
          ['get', 'holdfast one', 'api-key'],
          ['get', 'holdfast one', 'long'],
          ['set', 'holdfast one', 'gone', 'x'],
          ['delete', 'holdfast one', 'gone'],
          ['delete', 'holdfast one', 'gone'],
          ['get', 'holdfast one', 'gone'],
        ],
        { before: unlocked },
      ),
    ).toEqual(['available', null, null, null, null, 'SENTINEL grün 🦀\n', long, null, null, null, null])
  })

  test('the next session finds it, and another data folder does not', () => {
    expect(
      inSession(
        [
          ['get', 'holdfast one', 'api-key'],
          ['get', 'holdfast two', 'api-key'],
        ],
        { before: unlocked },
      ),
    ).toEqual(['SENTINEL grün 🦀\n', null])
  })

  test('nothing of it stands in plain in the files of the keyring', () => {
    const keyrings = path.join(home, '.local', 'share', 'keyrings')
    const files = readdirSync(keyrings).filter((name) => name.endsWith('.keyring'))
    expect(files).not.toEqual([])
    for (const name of files) expect(readFileSync(path.join(keyrings, name), 'latin1')).not.toContain('SENTINEL')
  })

  test('a locked keyring that can show no prompt is locked, never empty', () => {
    // Said at once it counts as locked, said later as cancelled by somebody: on a busy machine, either. The line between the two is
    // tested beside the words (keychain-failure.test.ts).
    const refused = { error: expect.stringMatching(/^keychain-(locked|cancelled)$/) }
    expect(
      inSession([
        ['probe', 'holdfast one'],
        ['get', 'holdfast one', 'api-key'],
        ['set', 'holdfast one', 'api-key', 'other'],
        ['delete', 'holdfast one', 'api-key'],
      ]),
    ).toEqual([expect.stringMatching(/^(locked|cancelled)$/), refused, refused, refused])
  })

  test('a prompt that goes away after a while was cancelled', () => {
    const env = fakeService('org.gnome.keyring.SystemPrompter', 'sleep 1; exit 1')
    expect(inSession([['get', 'holdfast one', 'api-key']], { env })).toEqual([{ error: 'keychain-cancelled' }])
  })

  test('a prompt that nobody answers is cancelled at the deadline', () => {
    const env = fakeService('org.gnome.keyring.SystemPrompter', 'sleep 30')
    expect(
      inSession(
        [
          ['get', 'holdfast one', 'api-key'],
          ['probe', 'holdfast one'],
        ],
        { env, deadlineMs: 3000 },
      ),
    ).toEqual([{ error: 'keychain-cancelled' }, 'cancelled'])
  })

  test('a Secret Service that never answers is absent', () => {
    const env = fakeService('org.freedesktop.secrets', 'sleep 2')
    expect(inSession([['probe', 'holdfast one']], { env })).toEqual(['absent'])
  })
})

describe.runIf(hasBus)('with a bus but no Secret Service', () => {
  test('the keychain is absent', () => {
    const config = path.join(home, 'bus.conf')
    writeFileSync(
      config,
      `<busconfig><type>session</type><listen>unix:tmpdir=${home}</listen>
       <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
    )
    expect(
      inSession(
        [
          ['probe', 'holdfast one'],
          ['get', 'holdfast one', 'api-key'],
        ],
        { busArguments: [`--config-file=${config}`] },
      ),
    ).toEqual(['absent', { error: 'keychain-absent' }])
  })
})

describe.runIf(isLinux)('with no bus at all', () => {
  test.each([
    ['no address', {}],
    ['an address where nothing listens', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }],
    ['an address that is none', { DBUS_SESSION_BUS_ADDRESS: 'nonsense' }],
  ])('%s: the keychain is absent', (_, env) => {
    const calls = [
      ['probe', 'holdfast one'],
      ['set', 'holdfast one', 'api-key', 'x'],
      ['get', 'holdfast one', 'api-key'],
    ]
    const run = spawnSync(process.execPath, [script, JSON.stringify(calls), '20000'], {
      encoding: 'utf8',
      env: { ...environment(), ...env },
    })
    expect(answersOf(run)).toEqual(['absent', { error: 'keychain-absent' }, { error: 'keychain-absent' }])
  })
})
