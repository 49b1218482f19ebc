import { expect, test } from 'vitest'
import { browserCommand, openBrowser } from '../../electron/host/open-browser.ts'

const url = 'http://127.0.0.1:1/?token=t'

test.each([
  ['darwin', {}, 'open'],
  ['win32', {}, 'explorer.exe'],
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['linux', {}, undefined],
])('on %s with %j, %s opens the address', (platform, env, file) => {
  expect(browserCommand(url, platform, env)).toEqual(file === undefined ? null : { file, args: [url] })
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
