import { describe, expect, test } from 'vitest'
import { whyElectronFailed, whyNoWindow, type Circumstances, type ElectronEnd } from '../../electron/host/why-no-window.ts'

describe('before the start', () => {
  test.each([
    ['a desktop', { uid: 1000, env: { DISPLAY: ':0' } }, null],
    ['Wayland alone', { uid: 1000, env: { WAYLAND_DISPLAY: 'wayland-0' } }, null],
    ['root', { uid: 0, env: { DISPLAY: ':0' } }, /root/],
    ['root who gave up the sandbox', { uid: 0, env: { DISPLAY: ':0' }, noSandbox: true }, null],
    ['no display', { uid: 1000, env: {} }, /display/],
    ['an empty DISPLAY', { uid: 1000, env: { DISPLAY: '' } }, /display/],
    ['a Mac, which has no DISPLAY', { platform: 'darwin', uid: 501, env: {} }, null],
    ['Windows, which has no uid', { platform: 'win32', uid: null, env: {} }, null],
  ] as [string, Partial<Circumstances>, RegExp | null][])('%s', (_name, circumstances, why) => {
    const said = whyNoWindow({ platform: 'linux', uid: 1000, env: {}, noSandbox: false, ...circumstances })
    if (why === null) expect(said).toBeNull()
    else expect(said).toMatch(why)
  })
})

describe('after the end of Electron', () => {
  const missing = 'electron: error while loading shared libraries: libgtk-3.so.0: cannot open shared object file: No such file or directory'
  test.each([
    ['a good end', { code: 0 }, null],
    ['a good end after a missing library in a helper', { code: 0, stderr: missing }, null],
    ['a failure of its own', { code: 1 }, null],
    ['a missing library', { code: 127, stderr: missing }, /libgtk-3\.so\.0.* is missing/],
    ['a display that is not there', { code: 1, stderr: '[1:ERROR] Missing X server or $DISPLAY' }, /display/],
    ['no sandbox', { signal: 'SIGTRAP', stderr: 'FATAL: The SUID sandbox helper binary was found, but is not configured' }, /sandbox/],
    ['a crash at the start', { signal: 'SIGSEGV', afterMs: 900 }, /crashed.*SIGSEGV/],
    ['a crash after an hour', { signal: 'SIGSEGV', afterMs: 3_600_000 }, null],
    ['a signal of the user', { signal: 'SIGTERM', afterMs: 900 }, null],
    ['no start at all', { spawnError: 'ENOEXEC' }, /ENOEXEC/],
  ] as [string, Partial<ElectronEnd>, RegExp | null][])('%s', (_name, end, why) => {
    const said = whyElectronFailed({ code: null, signal: null, spawnError: null, stderr: '', afterMs: 100, ...end })
    if (why === null) expect(said).toBeNull()
    else expect(said).toMatch(why)
  })
})
