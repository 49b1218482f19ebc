import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { photograph } from './steps/photograph.ts'
import { expectCount, findVariable, rowOf } from './steps/variables.ts'

test('an export is masked until asked, in every format, and the file holds the values', { tag: '@shell' }, async ({ startApp, driver }) => {
  const app = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: 'GREETING="hello there"\nAPI_TOKEN=sesame-opens\n' } } },
  })
  await expectCount(app.page, 2)
  await app.page.getByRole('button', { name: 'More for this environment' }).click()
  await app.page.getByRole('menuitem', { name: 'Export or copy as…' }).click()
  const dialog = app.page.getByTestId('export-dialog')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  const formats = [
    { name: '.env', says: 'API_TOKEN=' },
    { name: 'JSON', says: '"API_TOKEN":' },
    { name: 'YAML', says: 'API_TOKEN' },
    { name: 'Shell', says: 'export API_TOKEN=' },
    { name: 'Docker', says: 'API_TOKEN=' },
    { name: 'Kubernetes', says: 'kind: Secret' },
  ]
  for (const { name, says } of formats) {
    await dialog.getByRole('radio', { name, exact: true }).click()
    await expect(preview).toContainText(says)
    await expect(preview).not.toContainText('sesame-opens')
    if (name !== 'Kubernetes') await expect(preview).toContainText('hello there')
    await expect(preview).not.toContainText(Buffer.from('sesame-opens').toString('base64'))
  }
  await dialog.getByRole('radio', { name: '.env', exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
  await expect(preview).toContainText('API_TOKEN=sesame-opens')

  // Electron asks for a place to save with a dialog of the system, which no test can press.
  if (driver === 'browser') {
    const download = app.page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save file' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/fernweh.*production/i)
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain('API_TOKEN=sesame-opens')
  }
})

test('the buttons of an export stay where they are in every format, also where variables are left out', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: 'GREETING="hello there"\nCERT="one\ntwo"\n' } } },
  })
  await expectCount(page, 2)
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: 'Export or copy as…' }).click()
  const dialog = page.getByTestId('export-dialog')
  const buttons = dialog.locator('footer').getByRole('button')
  await expect(buttons).toHaveText(['Close', 'Copy', 'Save file'])
  const places = () => buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().toJSON() as DOMRect))
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('GREETING=')
  const before = await places()
  await dialog.getByRole('radio', { name: 'Docker', exact: true }).click()
  await expect(dialog.getByRole('list', { name: 'Left out' })).toContainText('CERT')
  expect(await places()).toEqual(before)
  await photograph(page, driver, '74-export-left-out')
})

test('the table is filtered by type and sorted, and a variable is copied to another environment', async ({ app }) => {
  await app.page.getByRole('button', { name: 'Look around' }).click()
  const rows = app.page.getByTestId('variable-row')
  await expect(rows.first()).toBeVisible()
  const names = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-name')))
  await app.page.getByRole('button', { name: 'Sort by name' }).click()
  await expect(async () => {
    const shown = await names()
    expect(shown).toEqual(shown.toSorted().toReversed())
  }).toPass()

  await app.page.getByRole('button', { name: 'Filter and sort' }).click()
  await app.page.getByRole('menuitemcheckbox', { name: 'number' }).click()
  await app.page.keyboard.press('Escape')
  await expect(rows.getByRole('button', { name: /^Type of .*: (string|boolean)$/ })).toHaveCount(0)
  await app.page.getByRole('button', { name: 'Remove the filter number' }).click()
  await expect(rows.getByRole('button', { name: /^Type of .*: string$/ }).first()).toBeVisible()

  await expect(app.page.getByTestId('variables-grid')).toHaveAttribute('data-filter', '')
  const name = (await rows.first().getAttribute('data-name')) ?? ''
  await rowOf(app.page, name).click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(rowOf(app.page, `${name}_COPY`)).toBeVisible()
  await expect(app.page.getByTestId('variables-grid')).toHaveAttribute('data-filter', '')
  await rowOf(app.page, `${name}_COPY`).click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = app.page.getByRole('dialog')
  await dialog
    .getByRole('radio', { name: /^Production/ })
    .first()
    .check()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(app.page, `${name}_COPY`)).toBeHidden()
  await app.page.getByTestId('environment-item').filter({ hasText: 'Production' }).first().click()
  await expect(rowOf(app.page, `${name}_COPY`)).toBeVisible()
})

test('all selected variables are exported, those that a filter hides too', async ({ startApp }) => {
  const values = { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: values } } } })
  await expectCount(page, 3)
  await rowOf(page, 'A_HOST')
    .getByTestId('value-cell')
    .click({ modifiers: ['ControlOrMeta'] })
  await findVariable(page, 'C_PATH')
  await expect(page.getByTestId('variable-row')).toHaveCount(1)
  await rowOf(page, 'C_PATH')
    .getByTestId('value-cell')
    .click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('toolbar', { name: 'Actions for selected variables' }).getByRole('button', { name: 'Export…' }).click()
  const preview = page.getByTestId('export-dialog').getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('C_PATH=three')
  await expect(preview).toContainText('A_HOST=one')
  await expect(preview).not.toContainText('B_PORT')
})
