import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { polkitAuthentication } from '../../electron/main/polkit-authentication.ts'
import { askVerifier, powershellOf, windowsHello } from '../../electron/main/windows-hello.ts'

const root = path.resolve(import.meta.dirname, '../..')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-system-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** A program in the place of the system's: it notes how it was called, then does as `body` says. */
function program(body: string): { file: string; calls(): string[]; environment(): string } {
  const file = path.join(folder, 'tool')
  const [args, env] = [`${file}.args`, `${file}.env`]
  writeFileSync(file, `#!/bin/sh\necho "$*" >> '${args}'\n/usr/bin/env >> '${env}'\n${body}\n`)
  chmodSync(file, 0o700)
  const lines = (of: string) => readFileSync(of, 'utf8').trim().split('\n')
  return { file, calls: () => lines(args), environment: () => lines(env).join('\n') }
}

describe.skipIf(process.platform !== 'linux')('polkit', () => {
  const pkcheck = (quietly: number, asked: number) =>
    program(`case "$*" in *--allow-user-interaction*) exit ${asked};; esac\nexit ${quietly}`)

  // pkcheck(1), and what pkcheck 122 did with the action of resources/linux.
  test.each([
    ['the right password', 2, 0, true, 'confirmed'],
    ['a wrong password', 2, 1, true, 'refused'],
    ['a dialog that is closed', 2, 3, true, 'refused'],
    ['no agent on the desktop', 2, 2, true, 'unavailable'],
    ['an action that is not installed', 127, 127, false, 'unavailable'],
    ['a rule that says yes without a question', 0, 0, false, 'unavailable'],
    ['a rule that says no without a question', 1, 1, false, 'unavailable'],
  ] as const)('%s', async (_, quietly, asked, available, outcome) => {
    const polkit = polkitAuthentication(pkcheck(quietly, asked).file)
    expect(await polkit.isAvailable()).toBe(available)
    expect(await polkit.confirm()).toBe(outcome)
  })

  test('is unavailable where there is no pkcheck, or it crashes', async () => {
    expect(await polkitAuthentication(path.join(folder, 'none')).confirm()).toBe('unavailable')
    expect(await polkitAuthentication(program('kill -9 $$').file).confirm()).toBe('unavailable')
  })

  test('is asked about this very process, and a variable of whoever started Holdfast does not choose who answers', async () => {
    vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', 'unix:path=/tmp/a-bus-of-mine')
    vi.stubEnv('LD_PRELOAD', '')
    vi.stubEnv('PATH', folder)
    const tool = pkcheck(2, 0)
    await polkitAuthentication(tool.file).confirm()
    const started = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[19]
    const subject = `${process.pid},${started},${process.getuid?.()}`
    const call = `--action-id dev.holdfast.desktop.unlock --process ${subject}`
    expect(tool.calls()).toEqual([call, `${call} --allow-user-interaction`])
    expect(tool.environment()).not.toMatch(/DBUS_SYSTEM_BUS_ADDRESS|LD_PRELOAD|^PATH=.*holdfast-system/m)
  })

  test("the Debian package installs the action, which asks for the user's own password each time", () => {
    const { deb } = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) as { deb: { fpm: string[] } }
    const [from = '', to = ''] = (deb.fpm[0] ?? '').split('=')
    expect(to).toBe('/usr/share/polkit-1/actions/dev.holdfast.desktop.policy')
    const policy = readFileSync(path.join(root, from), 'utf8')
    expect(policy).toContain('<action id="dev.holdfast.desktop.unlock">')
    const allowed = [...policy.matchAll(/<allow_(\w+)>(\w+)</g)].map(([, who, what]) => [who, what])
    expect(Object.fromEntries(allowed)).toEqual({ any: 'auth_self', inactive: 'auth_self', active: 'auth_self' })
  })
})

describe.skipIf(process.platform === 'win32')('Windows Hello', () => {
  // The words of UserConsentVerificationResult and UserConsentVerifierAvailability (Windows.Security.Credentials.UI).
  test.each([
    ['Verified', 'confirmed'],
    ['Canceled', 'refused'],
    ['RetriesExhausted', 'refused'],
    ['DeviceNotPresent', 'unavailable'],
    ['NotConfiguredForUser', 'unavailable'],
    ['DisabledByPolicy', 'unavailable'],
    ['DeviceBusy', 'unavailable'],
    ['', 'unavailable'],
  ] as const)('%s', async (word, outcome) => {
    expect(await windowsHello(folder, program(`printf %s '${word}'`).file).confirm()).toBe(outcome)
  })

  test.each([
    ['Available', true],
    ['DeviceNotPresent', false],
  ])('can be asked where it is %s', async (word, expected) => {
    expect(await windowsHello(folder, program(`printf %s '${word}'`).file).isAvailable()).toBe(expected)
  })

  test('is no yes where PowerShell fails after it, and no profile of the user takes part', async () => {
    const tool = program('printf Verified; exit 1')
    expect(await windowsHello(folder, tool.file).confirm()).toBe('unavailable')
    expect(tool.calls()[0]).toMatch(/^-NoProfile -NonInteractive -Command /)
    // Node would have to escape them for a command line.
    expect(tool.calls()[0]).not.toContain('"')
  })
})

test.runIf(process.platform === 'win32')('PowerShell answers with a word of Windows', { timeout: 60_000 }, async () => {
  const systemRoot = process.env['SystemRoot'] ?? String.raw`C:\Windows`
  const words = ['Available', 'DeviceBusy', 'DeviceNotPresent', 'DisabledByPolicy', 'NotConfiguredForUser']
  expect(words).toContain(await askVerifier(systemRoot, powershellOf(systemRoot), 'availability'))
})
