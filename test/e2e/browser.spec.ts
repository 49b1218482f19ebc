import { readlink, realpath } from 'node:fs/promises'
import { findBrowser } from '../support/find-browser.ts'
import { expect, test } from './fixtures.ts'

test('on Linux the running browser is the one among the development packages', async ({ app }) => {
  test.skip(process.platform !== 'linux' || process.arch !== 'x64', 'Other systems test with a browser of their own.')
  const session = await app.page.context().browser()?.newBrowserCDPSession()
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  const own = processInfo.find(({ type }) => type === 'browser')
  const { executable } = await findBrowser()
  expect(executable).toContain('node_modules')
  expect(await readlink(`/proc/${own?.id}/exe`)).toBe(await realpath(executable ?? ''))
})
