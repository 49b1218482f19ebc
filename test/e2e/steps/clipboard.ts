import type { AppUnderTest } from '../fixtures.ts'

/** What somebody would paste now. A window of Electron may not read the clipboard: there the shell does. */
export async function readClipboard(app: AppUnderTest, driver: 'browser' | 'electron'): Promise<string> {
  if (driver === 'electron') return app.electron.evaluate(async ({ clipboard }) => clipboard.readText())
  await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return app.page.evaluate(() => navigator.clipboard.readText())
}
