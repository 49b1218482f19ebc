import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'

test(
  'an exported file is its user’s alone, also in the place of one that all could read',
  { tag: '@shell' },
  async ({ startApp, driver, folder }) => {
    test.skip(driver !== 'electron', 'A browser saves downloads itself.')
    const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { API_TOKEN: 'sesame-opens' } } } } })
    const { page } = app
    const file = path.join(folder, 'exported.env')
    await writeFile(file, 'earlier', { mode: 0o644 })
    await app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    }, file)
    await page.getByRole('button', { name: 'More for this environment' }).click()
    await page.getByRole('menuitem', { name: /^Export or copy/ }).click()
    await holdToasts(page)
    await page.getByTestId('export-dialog').getByRole('button', { name: 'Save file' }).click()
    await expect(page.getByText(/^Saved .*plain text\.$/)).toBeVisible()
    const { mode, size } = await stat(file)
    expect(size).toBe('API_TOKEN=sesame-opens\n'.length)
    if (process.platform !== 'win32') expect((mode & 0o777).toString(8)).toBe('600')
  },
)
