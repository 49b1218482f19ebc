import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { passphrase, unlock, writeDownRecoveryKey } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { closeQueue, expectSync, openQueue } from './steps/sync.ts'
import { addVariable, deleteVariable, editVariable, expectCount, expectValue, findVariable, importText } from './steps/variables.ts'
import { createProject, startLocalWorkspace } from './steps/workspaces.ts'

const sample = path.resolve(import.meta.dirname, '../../resources/sample.env')

test('everything made in a local workspace is there after a restart', { tag: '@shell' }, async ({ app }) => {
  await startLocalWorkspace(app.page)
  await createProject(app.page, 'Fernweh', 'Production')

  const rows = await importText(app.page, await readFile(sample, 'utf8'))
  expect(rows).toBeGreaterThan(50)
  await expectCount(app.page, rows)
  await addVariable(app.page, 'ADDED_BY_HAND', 'kept')
  await editVariable(app.page, 'LOG_LEVEL', 'debug')
  await deleteVariable(app.page, 'TIMEZONE')
  await expectCount(app.page, rows)
  await expectSync(app.page, 'synced')
  // Nothing is synced anywhere, and nothing says so.
  await openQueue(app.page)
  expect(await app.page.locator('body').ariaSnapshot()).not.toMatch(/sync/i)
  await look(app.page, 'all saved')
  await closeQueue(app.page)

  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByTestId('variables-grid')).toBeFocused()
  await expectCount(app.page, rows)
  await expectSync(app.page, 'synced')
  await expect(app.page.getByRole('heading', { level: 1 })).toContainText('Production')
  await expectValue(app.page, 'ADDED_BY_HAND', 'kept')
  await expectValue(app.page, 'LOG_LEVEL', 'debug')
  await expectValue(app.page, 'WELCOME_TEXT', 'Grüß Gott! 地図と地球儀へようこそ 🗺️')
  await app.page.getByLabel('Filter variables').fill('TIMEZONE')
  await expect(app.page.getByText('No results for')).toBeVisible()
})

test('an edit survives a crash right after it was made', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { ownProcess: true })
  await startLocalWorkspace(app.page)
  await createProject(app.page, 'Fernweh', 'Production')
  await addVariable(app.page, 'TYPED_LAST', 'before the lights went out')
  await expect(await findVariable(app.page, 'TYPED_LAST')).toBeVisible()

  await app.kill()
  await app.start()
  await unlock(app.page)
  await expectValue(app.page, 'TYPED_LAST', 'before the lights went out')
})

test('a passphrase that is too short is told, and nothing is said of the second before it is typed', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Start a local workspace' }).click()
  const first = page.getByLabel('Passphrase', { exact: true })
  await expect(first).toBeFocused()
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Use at least 8 characters. Four random words work well.')).toBeVisible()
  await page.keyboard.type(' no more')
  await page.keyboard.press('Enter')
  const second = page.getByLabel('Confirm passphrase')
  await expect(second).toBeFocused()
  await expect(page.getByText('The passphrases don’t match.')).toHaveCount(0)
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The passphrases don’t match.')).toBeVisible()
})

test('a wrong passphrase is told as one, and the right one opens afterwards', async ({ app }) => {
  await startLocalWorkspace(app.page)
  await app.restart()
  await app.page.getByLabel('Passphrase').fill(`not ${passphrase}`)
  await app.page.getByRole('button', { name: 'Unlock' }).click()
  await expect(app.page.getByRole('alert')).toContainText(/passphrase/i)
  await unlock(app.page)
  await expect(app.page.getByRole('button', { name: /^Workspace / })).toBeVisible()
})

test('a passphrase is changed in the settings: a wrong current one is told where it stands, with the keyboard there', async ({ app }) => {
  const { page } = app
  await page.setViewportSize({ width: 900, height: 600 })
  await startLocalWorkspace(page)
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByTestId('settings-dialog').getByRole('tab', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'Change passphrase…' }).click()
  const current = page.getByLabel('Current passphrase')
  await expect(current).toBeFocused()
  const submit = page.getByRole('button', { name: 'Change passphrase' })
  await expect(submit).toBeInViewport({ ratio: 1 })
  await current.fill(`not ${passphrase}`)
  await page.getByLabel('New passphrase', { exact: true }).fill('another heron at high tide')
  await page.getByLabel('Confirm new passphrase').fill('another heron at high tide')
  await page.keyboard.press('Enter')
  await expect(current).toHaveAttribute('aria-invalid', 'true')
  await expect(current).toBeFocused()
  await page.keyboard.insertText(passphrase)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Change passphrase…' })).toBeFocused()
  await app.restart()
  await app.page.getByLabel('Passphrase').fill('another heron at high tide')
  await app.page.getByRole('button', { name: 'Unlock' }).click()
  await expect(app.page.getByRole('button', { name: /^Workspace / })).toBeVisible()
})

test('keys of one session: the recovery key is shown first, and opens the values after a restart', async ({ app }) => {
  await app.page.getByRole('button', { name: 'Start a local workspace' }).click()
  await app.page.getByRole('radio', { name: 'This session only' }).check()
  await app.page.getByRole('button', { name: 'Continue' }).click()
  const key = await writeDownRecoveryKey(app.page)
  await createProject(app.page, 'Fernweh', 'Production')
  await addVariable(app.page, 'GREETING', 'hello again')
  await expect(await findVariable(app.page, 'GREETING')).toBeVisible()

  await app.restart()
  await app.page.getByRole('button', { name: 'Enter the workspace key' }).press('Enter')
  await expect(app.page.getByRole('textbox', { name: 'Workspace key' })).toBeFocused()
  await app.page.getByRole('textbox', { name: 'Workspace key' }).fill(key)
  await app.page.getByRole('button', { name: 'Continue' }).click()
  await app.page.getByRole('radio', { name: 'This session only' }).check()
  await app.page.getByRole('button', { name: 'Continue' }).click()
  // The form is gone, and gives the keyboard to the table.
  await expect(app.page.getByTestId('variables-grid')).toBeFocused()
  await expectValue(app.page, 'GREETING', 'hello again')
})
