import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { browserCommand, leadOn, openBrowser } from '../../electron/host/open-browser.ts'

const url = 'http://127.0.0.1:1/?token=t'

test.each([
  ['darwin', {}, { file: 'open', takesFile: true }],
  ['win32', {}, { file: 'explorer.exe', takesFile: false }],
  ['linux', { DISPLAY: ':0' }, { file: 'xdg-open', takesFile: true }],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, { file: 'xdg-open', takesFile: true }],
  ['linux', {}, null],
])('on %s with %j the address is opened by %j', (platform, env, command) => {
  expect(browserCommand(platform, env)).toEqual(command)
})

test('the page that leads on can be read by this user alone, and leads to the address', () => {
  const page = leadOn(url)
  expect(statSync(page).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(page)).mode & 0o777).toBe(0o700)
  expect(readFileSync(page, 'utf8')).toContain(`url=${url}"`)
  rmSync(dirname(page), { recursive: true })
})

test('what the opener is started with does not have the token in it, and the page is gone with the process', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'holdfast-bin-'))
  const seen = join(bin, 'seen')
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`)
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const script = `import { openBrowser } from ${JSON.stringify(join(import.meta.dirname, '../../electron/host/open-browser.ts'))}
    openBrowser(${JSON.stringify(url)}, 'linux', { DISPLAY: ':0' })
    const wait = setInterval(() => process.getBuiltinModule('fs').existsSync(${JSON.stringify(seen)}) && clearInterval(wait), 20)`
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env, stdio: 'ignore' })
  expect((await once(child, 'close'))[0]).toBe(0)
  const args = readFileSync(seen, 'utf8').trim()
  expect(args).not.toContain('token')
  expect(args).toMatch(/holdfast\.html$/)
  expect(existsSync(args)).toBe(false)
  rmSync(bin, { recursive: true })
})

test('a computer without the opener is no failure', async () => {
  const before = process.env['PATH']
  process.env['PATH'] = '/nonexistent'
  try {
    expect(openBrowser(url, 'linux', { DISPLAY: ':0' })).toBeUndefined()
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.env['PATH'] = before
  }
})
