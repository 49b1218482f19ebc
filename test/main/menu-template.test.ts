import { expect, test } from 'vitest'
import { menuTemplate } from '../../electron/main/menu-template.ts'

const text = (platform: string, isPackaged: boolean) => JSON.stringify(menuTemplate(platform, isPackaged))

test('developer tools are in a source tree only', () => {
  expect(text('linux', false)).toContain('toggleDevTools')
  expect(text('linux', true)).not.toMatch(/toggleDevTools|reload/i)
})

test.each([
  ['darwin', '"appMenu"', '"close"'],
  ['linux', '"quit"', '"Ctrl+Q"'],
  ['win32', '"quit"', '"Ctrl+Q"'],
])('on %s the application can be left by menu and key', (platform, first, second) => {
  expect(text(platform, true)).toContain(first)
  expect(text(platform, true)).toContain(second)
})
