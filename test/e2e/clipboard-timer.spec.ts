import { expect, test } from './fixtures.ts'
import { findVariable } from './steps/variables.ts'

// In a file of its own: it waits for seconds that have to pass, and what is started first is not waited for at the end.
test('a copied value leaves the clipboard after its time, though the window is closed', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { API_TOKEN: 'sesame' } } } } })
  const { page, electron } = app
  // Shorter than the settings offer, yet long enough to close the window before it is over.
  await page.evaluate(() =>
    (window as unknown as { holdfast: { command(name: string, args: object): Promise<unknown> } }).holdfast.command('settings.set', {
      clipboardClearSeconds: 20,
    }),
  )
  await findVariable(page, 'API_TOKEN')
  const copied = () => electron.evaluate(async ({ clipboard }) => clipboard.readText())
  // On some systems the application goes on without a window.
  await electron.evaluate(({ app: shell }) => {
    shell.removeAllListeners('window-all-closed')
    shell.on('window-all-closed', () => undefined)
  })
  await page.getByTestId('variables-grid').press('ControlOrMeta+c')
  await expect(page.getByText('Clears in 20 seconds')).toBeVisible()
  expect(await copied()).toBe('sesame')
  await Promise.all([page.waitForEvent('close'), electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())])
  expect(await copied()).toBe('sesame')
  await expect.poll(copied, { timeout: 60_000 }).toBe('')
})
