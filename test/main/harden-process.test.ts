import { expect, test } from 'vitest'
import { foreignSwitches } from '../../electron/main/harden-process.ts'

// What Chromium and Electron take from whoever starts them, as tried on a shipped application: their documents list hundreds.
test.each([
  ['linux', ['--remote-debugging-port=9222'], ['remote-debugging-port']],
  ['linux', ['-remote-debugging-pipe'], ['remote-debugging-pipe']],
  ['linux', ['--ssl-key-log-file=/tmp/keys'], ['ssl-key-log-file']],
  ['linux', ['--log-net-log=/tmp/net', '--net-log-capture-mode=Everything'], ['log-net-log', 'net-log-capture-mode']],
  ['linux', ['--renderer-cmd-prefix=/tmp/evil', '--gpu-launcher=/tmp/evil'], ['renderer-cmd-prefix', 'gpu-launcher']],
  ['linux', ['--auth-server-allowlist=*'], ['auth-server-allowlist']],
  ['linux', ['--enable-crash-reporter'], ['enable-crash-reporter']],
  ['linux', ['--unheard-of'], ['unheard-of']],
  ['win32', ['/Remote-Debugging-Port=9222', '-IGNORE-CERTIFICATE-ERRORS'], ['remote-debugging-port', 'ignore-certificate-errors']],
  ['linux', ['/remote-debugging-port=9222', 'file', '--', '--not-a-switch'], []],
  ['linux', ['--data-dir', '/tmp/x', '--data-dir=/tmp/x', '--no-sandbox', '--ozone-platform-hint=auto', '--lang=de'], []],
])('on %s, of %j these are taken away: %j', (platform, args, expected) => {
  expect(foreignSwitches(args, platform)).toEqual(expected)
})
