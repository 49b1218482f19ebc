import { expect, test } from './fixtures.ts'
import { setCode } from './steps/code.ts'
import { lockAndUnlock, unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { paste } from './steps/paste.ts'
import { expectCount, expectValue } from './steps/variables.ts'

test('an import shows each value before and after, masks secrets, and warns of lines that say less than they seem to', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { LOG_LEVEL: 'warn', API_TOKEN: 'old sesame' } } } },
  })
  await paste(page.getByTestId('variables-grid'), 'LOG_LEVEL=info\nAPI_TOKEN=sesame\nCOLOR=abc#def\nTITLE="good day\nPORT=80\n')
  const dialog = page.getByTestId('import-dialog')
  const line = (name: string) => dialog.locator(`[data-testid="import-line"][data-name="${name}"]`)
  await expect(line('LOG_LEVEL')).toContainText(/Changed\s*warn\s*info/)
  await expect(line('PORT')).toContainText(/New\s*80/)
  await expect(line('API_TOKEN').getByRole('img', { name: 'Hidden value' })).toHaveCount(2)
  await expect(line('COLOR')).toContainText(/New\s*abc\s*cut at #/)
  await expect(line('TITLE')).toContainText(/New\s*"good day\s*quote not closed/)
  await expect(dialog).toContainText('3 new · 2 changed · 2 warnings')
  // Read as another format it says nothing: then nothing is left of the first plan to be done.
  await dialog.getByRole('radio', { name: 'Replace' }).click()
  await dialog.getByRole('radio', { name: 'JSON' }).click()
  await expect(dialog).toContainText('This isn’t valid JSON.')
  await expect(dialog).not.toContainText('3 new')
  await expect(dialog.getByRole('button', { name: 'Nothing to import' })).toBeDisabled()
  await dialog.getByRole('radio', { name: '.env' }).click()
  await dialog.getByRole('radio', { name: 'Merge' }).click()
  await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
  await expect(line('API_TOKEN')).toContainText(/old sesame\s*sesame/)
})

test('an import gives no variable of a key without quotes, and shows lines that can’t be read only with the secrets', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nMzEfYyjiWA4R4==\n-----END PRIVATE KEY-----'
  await paste(page.getByTestId('variables-grid'), `PORT=80\nTLS_PRIVATE_KEY=${key}\nMY PASSWORD=hunter2\n`)
  const dialog = page.getByTestId('import-dialog')
  await expect(dialog.getByTestId('import-line')).toHaveCount(4)
  await expect(dialog.getByTestId('import-line').nth(0)).toContainText('This belongs to a key without quotes.')
  await expect(dialog.locator('[data-name="TLS_PRIVATE_KEY"]')).toContainText('key without quotes')
  await expect(dialog.getByRole('img', { name: 'Hidden line' })).toHaveCount(2)
  await expect(dialog).not.toContainText(/MzEf|MIIE|hunter2/)
  await look(page, 'an import with a key without quotes')
  await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
  await expect(dialog).toContainText('MY PASSWORD=hunter2')
})

test('with all values masked, the text and the import mask values that aren’t secret', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { HOST: 'db.example.com' } } } },
  })
  const grid = page.getByTestId('variables-grid')
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByTestId('settings-dialog').getByRole('switch', { name: 'Mask all values' }).click()
  await page.keyboard.press('Escape')
  await expect(grid).not.toContainText('db.example.com')

  await grid.press('t')
  const text = page.getByTestId('text-dialog')
  await expect(text).toContainText('All values are masked')
  await expect(text).not.toContainText('db.example.com')
  await look(page, 'a text of masked values')
  await text.getByRole('button', { name: 'Show text' }).click()
  await expect(text).toContainText('db.example.com')
  await text.getByRole('button', { name: 'Cancel' }).click()

  await paste(grid, 'HOST=new.example.com\nPORT=80\n')
  const dialog = page.getByTestId('import-dialog')
  await expect(dialog.getByTestId('import-line')).toHaveCount(2)
  await expect(dialog.getByRole('img', { name: 'Hidden value' })).toHaveCount(3)
  await look(page, 'an import of masked values')
  await dialog.getByRole('checkbox', { name: 'Show values' }).click()
  await expect(dialog).toContainText('new.example.com')
})

for (const [name, text] of [
  ['.env', 'LOG_LEVEL=info\nPORT=8080\n'],
  ['JSON', '{ "LOG_LEVEL": "info", "PORT": 8080 }'],
  ['YAML', 'LOG_LEVEL: info\nPORT: 8080\n'],
] as const) {
  test(`${name} pasted over the table opens the import, and Enter applies it`, async ({ startApp }) => {
    const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
    const { page } = app
    await paste(page.getByTestId('variables-grid'), text)
    await expect(page.getByRole('button', { name: 'Import 2 variables' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('import-dialog')).toHaveCount(0)
    await expectCount(page, 2)
    await expectValue(page, 'PORT', '8080')
  })
}

test('after Preview and after Review changes, Enter does what was reviewed', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), 'LOG_LEVEL=info\n')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('button', { name: 'Import 1 variable' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expectValue(page, 'LOG_LEVEL', 'info')

  await page.getByTestId('variables-grid').press('t')
  const text = page.getByTestId('text-dialog').getByRole('textbox', { name: 'Variables as text' })
  await setCode(text, 'LOG_LEVEL=info\nno equals sign\n')
  await text.press('ControlOrMeta+Enter')
  await expect(page.getByTestId('text-dialog')).toContainText('1 line can’t be read and won’t be saved. Go back to the text to fix it.')
  await expect(page.getByRole('button', { name: 'Back to the text' })).toBeFocused()
  await page.keyboard.press('Enter')
  await setCode(text, 'LOG_LEVEL=debug\n')
  await text.press('ControlOrMeta+Enter')
  await expect(page.getByRole('button', { name: 'Save 1 change' })).toBeFocused()
  // Escape leads back one step, and asks nothing about what is still there.
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await text.press('ControlOrMeta+Enter')
  await expect(page.getByRole('button', { name: 'Save 1 change' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('text-dialog')).toHaveCount(0)
  await expectValue(page, 'LOG_LEVEL', 'debug')
})

test('the lines that need a look come first, and a high window shows as many lines as it has room for', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { LOG_LEVEL: 'warn' } } } } })
  await page.setViewportSize({ width: 1280, height: 1000 })
  const good = Array.from({ length: 40 }, (_, at) => `NAME_${String(at).padStart(2, '0')}=${at}`)
  await paste(page.getByTestId('variables-grid'), [...good, 'COLOR=abc#def', 'this is no line', '=nameless', 'LAST=1'].join('\n'))
  const lines = page.getByTestId('import-dialog').getByTestId('import-line')
  await expect(lines.first()).toHaveAttribute('data-status', 'invalid')
  await expect(lines.nth(1)).toHaveAttribute('data-status', 'invalid')
  await expect(lines.nth(2)).toHaveAttribute('data-name', 'COLOR')
  await expect(lines.nth(3)).toHaveAttribute('data-name', 'NAME_00')
  await expect(lines.nth(16)).toBeInViewport({ ratio: 1 })
})

test('a text to import and its review are there again after a lock, and a cancelled one can be restored', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { OLD: 'gone', KEPT: 'as it was' } } } } })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), 'LOG_LEVEL=info\nPORT=8080\nHOST=db.example.com\n')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('radio', { name: 'Replace' }).click()
  await dialog.getByRole('checkbox', { name: 'Import PORT' }).click()
  await dialog.getByRole('checkbox', { name: 'Delete KEPT' }).click()
  await dialog.getByRole('switch', { name: 'Secret: LOG_LEVEL' }).click()
  const expectReview = async () => {
    await expect(dialog.getByRole('button', { name: 'Import 2, delete 1' })).toBeEnabled()
    await expect(dialog.getByRole('switch', { name: 'Secret: LOG_LEVEL' })).toBeChecked()
    await expect(dialog.getByRole('checkbox', { name: 'Import PORT' })).not.toBeChecked()
  }
  await expectReview()
  await lockAndUnlock(page)
  await expectReview()
  await look(page, 'an import after a lock')

  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.locator('.toast').getByRole('button', { name: 'Restore' }).click()
  await expectReview()
  await dialog.getByRole('button', { name: 'Back to the text' }).click()
  await expect(dialog.getByLabel('Text to import')).toContainText('HOST=db.example.com')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expectReview()
  await dialog.getByRole('button', { name: 'Import 2, delete 1' }).click()
  await expect(dialog).toHaveCount(0)
  await expectCount(page, 3)
  await page.reload()
  await expectCount(page, 3)
  await expect(dialog).toHaveCount(0)
})

test('a text that is being typed into an import is there again after Holdfast has ended and started', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  await app.page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = () => app.page.getByTestId('import-dialog')
  const text = () => dialog().getByLabel('Text to import')
  await setCode(text(), 'LOG_LEVEL=info\nHALF_TYP')
  // The preview comes after the application has the text.
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await expect(dialog().getByTestId('import-line')).toHaveCount(2)
  await app.restart()
  await unlock(app.page)
  await expect(dialog().getByTestId('import-line')).toHaveCount(2)
  await dialog().getByRole('button', { name: 'Back to the text' }).click()
  await expect(text()).toContainText('HALF_TYP')
})
