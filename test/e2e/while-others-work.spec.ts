import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSync } from './steps/sync.ts'
import { shareRows } from './steps/two-people.ts'
import { editVariable } from './steps/variables.ts'
import { openVersions, saveVersion } from './steps/versions.ts'

/** Brings what others did on the service to the screen at once, whatever is open on it. */
const pull = (page: Page): Promise<unknown> => page.evaluate(() => window.dispatchEvent(new Event('online')))

test('the version that is read stays on screen while others save another one', async ({ startApp, service }) => {
  const projects = { Fernweh: { Production: { A_HOST: 'one' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  const { page } = mine
  await expectSync(page, 'synced')
  await saveVersion(page, 'first', '')
  await editVariable(page, 'A_HOST', 'two')
  await expectSync(page, 'synced')
  await openVersions(page)
  await expect(page.getByTestId('version-grid')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('version-grid')).toBeFocused()
  const saved = await service.ask('POST', '/projects/fernweh/environments/production/versions', { label: 'second' })
  expect(saved.status).toBe(201)
  await pull(page)
  await expect(page.getByTestId('version-item')).toHaveCount(2)
  await expect(page.getByTestId('version-pane')).toHaveAttribute('data-label', 'first')
  await expect(page.getByTestId('version-grid')).toBeFocused()
})

test('the keyboard stays on the button of an earlier value while others overwrite another one', async ({ startApp, service }) => {
  const { mine, theirs } = await shareRows(startApp, service, ['A_HOST', 'B_PORT'])
  const { page } = mine
  await editVariable(page, 'A_HOST', 'is')
  await expectSync(page, 'synced')
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: /history/i }).click()
  const dialog = page.getByTestId('history-dialog')
  await dialog.getByRole('button', { name: 'Restore A_HOST' }).focus()
  await editVariable(theirs.page, 'B_PORT', 'is')
  await expect(dialog.getByTestId('history-row')).toHaveCount(2)
  await expect(dialog.getByTestId('history-row').first()).toHaveAttribute('data-name', 'B_PORT')
  await expect(dialog.getByRole('button', { name: 'Restore A_HOST' })).toBeFocused()
})
