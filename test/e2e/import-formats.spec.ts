import { expect, test } from './fixtures.ts'
import { setCode } from './steps/code.ts'
import { dropFile } from './steps/drop-file.ts'
import { paste } from './steps/paste.ts'
import { expectCount, expectValue, rowOf } from './steps/variables.ts'

const texts = [
  { name: 'JSON', text: '{ "LOG_LEVEL": "info", "PORT": 8080, "GREETING": "good day" }' },
  { name: 'YAML', text: 'LOG_LEVEL: info\nPORT: 8080\nGREETING: good day\n' },
]

for (const { name, text } of texts) {
  test(`${name} is told from its text and imported`, async ({ startApp }) => {
    const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
    await app.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = app.page.getByTestId('import-dialog')
    await setCode(dialog.getByLabel('Text to import'), text)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expect(dialog.getByRole('radio', { name, exact: true })).toBeChecked()
    await dialog.getByRole('switch', { name: 'Secret: GREETING' }).click()
    await expect(dialog.getByRole('switch', { name: 'Secret: GREETING' })).toBeChecked()
    await dialog.getByRole('button', { name: 'Import 3 variables' }).click()
    await expectCount(app.page, 3)
    await expectValue(app.page, 'GREETING', 'good day')
    await expectValue(app.page, 'PORT', '8080')
    await expect(rowOf(app.page, 'GREETING').getByRole('switch', { name: 'Secret: GREETING' })).toBeChecked()
    await expect(rowOf(app.page, 'LOG_LEVEL').getByRole('switch', { name: 'Secret: LOG_LEVEL' })).not.toBeChecked()
  })
}

test('lines pasted over the table are an import, and so is a file let go over it', { tag: '@shell' }, async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { LOG_LEVEL: 'warn' } } } } })
  const dialog = page.getByTestId('import-dialog')
  const lines = dialog.getByTestId('import-line')
  await paste(page.getByTestId('variables-grid'), 'LOG_LEVEL=info\nAPI_TOKEN=sesame\n')
  await expect(lines).toHaveText([/LOG_LEVEL.*Changed/, /API_TOKEN.*New/])
  await expect(dialog.getByRole('switch', { name: 'Secret: API_TOKEN' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)

  await dropFile(page.getByRole('region', { name: 'Variables of Production' }), 'shop.env', 'PORT=80\n')
  await expect(dialog).toContainText('shop.env: 1 new')
  await dialog.getByRole('button', { name: 'Import 1 variable' }).click()
  await expectCount(page, 2)
})

test('replace lists what it removes, and one undo brings all of it back', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: 'KEPT=1\nCHANGED=before\nDROPPED=gone\n' } } } })
  await expectCount(app.page, 3)

  await app.page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = app.page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), 'KEPT=1\nCHANGED=after\nFRESH=new\n')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const dropped = dialog.locator('[data-testid="import-line"][data-name="DROPPED"]')
  await expect(dialog.locator('[data-testid="import-line"][data-name="FRESH"]')).toHaveAttribute('data-status', 'added')
  await expect(dropped).toBeHidden()
  await dialog.getByRole('radio', { name: 'Replace' }).click()
  await expect(dropped).toHaveAttribute('data-status', 'removed')
  await dialog.getByRole('button', { name: 'Import 2, delete 1' }).click()
  await expect(dialog).toBeHidden()
  await expectValue(app.page, 'CHANGED', 'after')
  await expect(rowOf(app.page, 'DROPPED')).toBeHidden()

  await app.page.getByTestId('variables-grid').press('Control+z')
  await expectValue(app.page, 'CHANGED', 'before')
  await expectValue(app.page, 'DROPPED', 'gone')
  await expectCount(app.page, 3)
})

test('an environment is edited as text, and saved after a look at the changes', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: 'LOG_LEVEL=info\nOLD_NAME=value\n' } } } })
  await expectCount(app.page, 2)
  await app.page.getByRole('button', { name: 'More for this environment' }).click()
  await app.page.getByRole('menuitem', { name: 'Edit as text…' }).click()
  const dialog = app.page.getByTestId('text-dialog')
  const text = dialog.getByRole('textbox', { name: 'Variables as text' })
  await expect(text).toBeFocused()
  await expect(text.locator('.cm-line')).toHaveText(['LOG_LEVEL=info', 'OLD_NAME=value', ''])
  await app.page.keyboard.press('Control+A')
  await app.page.keyboard.insertText('LOG_LEVEL=debug\nNEW_NAME=value\n')
  await dialog.getByRole('button', { name: 'Review changes' }).click()
  await expect(dialog.locator('[data-testid="text-change"][data-name="NEW_NAME"]')).toHaveAttribute('data-status', 'renamed')
  await expect(dialog.locator('[data-testid="text-change"][data-name="LOG_LEVEL"]')).toContainText(/info\s*debug/)
  await dialog.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(dialog).toBeHidden()
  await expectValue(app.page, 'LOG_LEVEL', 'debug')
  await expectValue(app.page, 'NEW_NAME', 'value')
  await expectCount(app.page, 2)
})
