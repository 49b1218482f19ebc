import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { readClipboard } from './steps/clipboard.ts'
import { passphrase, unlock } from './steps/keys.ts'
import { photograph } from './steps/photograph.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, editVariable, expectValue, findVariable } from './steps/variables.ts'
import { createProject, startLocalWorkspace } from './steps/workspaces.ts'

test('settings are opened by keys, hold across a restart and show where things are', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello there' } } } } })
  await expectValue(app.page, 'GREETING', 'hello there')

  await app.page.keyboard.press('ControlOrMeta+,')
  const dialog = app.page.getByTestId('settings-dialog')
  await dialog.getByRole('switch', { name: 'Mask all values' }).click()
  await dialog.getByRole('radio', { name: 'Dark' }).click()
  await dialog.getByLabel('Clear clipboard after').selectOption('2 minutes')
  await dialog.getByRole('tab', { name: 'Data' }).click()
  await expect(dialog.getByText(app.dataDir, { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(dialog.getByRole('region', { name: 'Diagnostics' })).not.toContainText('GREETING')
  await app.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const row = await findVariable(app.page, 'GREETING')
  await expect(row.getByRole('img', { name: 'Hidden value' })).toBeVisible()

  await app.restart()
  await expect(app.page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await app.page.getByLabel('Passphrase').fill(passphrase)
  await app.page.getByRole('button', { name: 'Unlock' }).click()
  await expect(app.page.getByTestId('variable-row').getByRole('img', { name: 'Hidden value' })).toBeVisible()
  await app.page.keyboard.press('ControlOrMeta+,')
  await expect(app.page.getByLabel('Clear clipboard after')).toHaveValue('120')
})

test('a workspace is removed only after its name was typed', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  // With unsent changes the dialog asks about these as well.
  await expectSync(app.page, 'synced')
  await app.page.getByRole('button', { name: /^Workspace / }).click()
  await app.page.getByRole('menuitem', { name: 'Remove workspace…' }).click()
  const dialog = app.page.getByTestId('settings-dialog')
  const remove = dialog.getByRole('button', { name: /remove/i })
  await expect(remove).toBeDisabled()
  await look(app.page, 'remove workspace')
  const field = dialog.getByLabel('Type the workspace name to confirm')
  const name = (await field.getAttribute('placeholder')) ?? ''
  await field.fill(`${name}?`)
  await expect(remove).toBeDisabled()
  await field.fill(name)
  await remove.click()
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
})

test('the keys are shown, hidden and locked from the settings', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello there' } } } } })
  await page.keyboard.press('ControlOrMeta+,')
  const dialog = page.getByTestId('settings-dialog')
  await expect(dialog.getByRole('tab', { name: 'General' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByText(/^In a vault in the data folder/)).toBeVisible()
  await expect(dialog.getByTestId('recovery-key')).toBeHidden()
  await dialog.getByRole('button', { name: /^Show the workspace key of/ }).click()
  await expect(dialog.getByTestId('recovery-key')).toHaveText(/\S{20,}/)
  await dialog.getByRole('button', { name: /^Hide the workspace key of/ }).click()
  await expect(dialog.getByTestId('recovery-key')).toBeHidden()

  // A wrong passphrase is typed over at once.
  await dialog.getByRole('button', { name: 'Change passphrase…' }).click()
  const current = dialog.getByLabel('Current passphrase')
  await current.fill('not the passphrase')
  await dialog.getByLabel('New passphrase', { exact: true }).fill('another passphrase')
  await dialog.getByLabel('Confirm new passphrase').fill('another passphrase')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(current).toBeFocused()
  await page.keyboard.type('x')
  await expect(current).toHaveValue('x')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await dialog.getByRole('button', { name: 'Lock now' }).click()
  await unlock(page)
  await expectValue(page, 'GREETING', 'hello there')
})

// By the clock of the page. In Electron the application watches the clipboard: `clipboard-timer.spec.ts`.
test('a copied value leaves the clipboard after its time', { tag: '@browser' }, async ({ app, driver }) => {
  const { page } = app
  // Before the page has timers of its own: an installed clock refuses to clear those of the real one.
  await page.clock.install()
  await page.reload()
  await startLocalWorkspace(page)
  await createProject(page, 'Fernweh', 'Production')
  await addVariable(page, 'API_TOKEN', 'sesame')
  await findVariable(page, 'API_TOKEN')
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await page.getByTestId('variables-grid').press('ControlOrMeta+c')
  await expect(page.getByText('Copied API_TOKEN. Clears in 30 seconds')).toBeVisible()
  expect(await readClipboard(app, driver)).toBe('sesame')
  await page.clock.fastForward(29_000)
  expect(await readClipboard(app, driver)).toBe('sesame')
  await page.clock.fastForward(1000)
  await expect.poll(() => readClipboard(app, driver)).toBe('')
})

test('keys that are left alone for their time are locked', { tag: '@long' }, async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { API_TOKEN: 'sesame' } } } } })
  await page.keyboard.press('ControlOrMeta+,')
  const settings = page.getByTestId('settings-dialog')
  await settings.getByLabel('Lock Holdfast after').selectOption('1 minute')
  await expect(settings.getByLabel('Lock Holdfast after')).toHaveValue('1')
  await page.keyboard.press('Escape')
  await expect(settings).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Unlock Holdfast' })).toBeVisible({ timeout: 240_000 })
  await unlock(page)
  await expectValue(page, 'API_TOKEN', 'sesame')
})

test('diagnostics are copied without a name, a value, a key or an address', { tag: '@shell' }, async ({ startApp, service, driver }) => {
  const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { API_TOKEN: 'sesame-4711' } } } } })
  const { page } = app
  const workspaceKey = app.workspaceKey
  await expectSync(page, 'synced')
  await page.keyboard.press('ControlOrMeta+,')
  const settings = page.getByTestId('settings-dialog')
  await settings.getByRole('tab', { name: 'Data' }).click()
  await settings.getByRole('button', { name: 'Show', exact: true }).click()
  await settings.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => readClipboard(app, driver)).toContain('Holdfast diagnostics')
  const copied = await readClipboard(app, driver)
  expect(copied).toBe(await settings.getByRole('region', { name: 'Diagnostics' }).textContent())
  expect(copied).toMatch(/rows: environment 1, project 1, variable 1/)
  const { host } = new URL(service.url)
  const hidden = ['API_TOKEN', 'sesame', 'Fernweh', 'Production', service.apiKey, workspaceKey, passphrase, host, app.dataDir]
  for (const each of hidden) expect(copied.toLowerCase()).not.toContain(each.toLowerCase())
})

test('an API key that still works is replaced by another one', async ({ startApp, service, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { PORT: '80' } } } } })
  await expectSync(page, 'synced')
  const apiKey = await service.createKey()

  await page.keyboard.press('ControlOrMeta+,')
  const dialog = page.getByTestId('settings-dialog')
  await dialog.getByRole('tab', { name: 'Keys' }).click()
  await dialog.getByRole('button', { name: 'Replace API key…' }).press('Enter')
  const field = dialog.getByLabel('New API key')
  await expect(field).toBeFocused()
  await field.fill('hf_unknown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('doesn’t accept this API key')).toBeVisible()
  await photograph(page, driver, 'settings-replace-api-key')
  await field.fill(apiKey)
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast').getByText('Replaced the API key of')).toBeVisible()
  await page.keyboard.press('Escape')

  await service.revokeKey()
  await editVariable(page, 'PORT', '8080')
  await expectSync(page, 'synced')
})
