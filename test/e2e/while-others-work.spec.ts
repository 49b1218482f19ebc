import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { expectSync } from './steps/sync.ts'
import { shareRows } from './steps/two-people.ts'
import { editVariable, expectCount } from './steps/variables.ts'
import { openVersions, saveVersion } from './steps/versions.ts'

/** Brings what others did on the service to the screen at once, whatever is open on it. */
const pull = (page: Page): Promise<unknown> => page.evaluate(() => window.dispatchEvent(new Event('online')))

const item = (page: Page, name: string) => page.locator(`[data-testid="environment-item"][data-name="${name}"]`)

/** Others delete a project, or an environment of Fernweh, and the screen learns of it. */
async function deleteElsewhere(page: Page, service: ServiceOnStage, route: string, name: string): Promise<void> {
  expect((await service.ask('DELETE', `/projects/${route}`)).status).toBe(200)
  await pull(page)
  await expect(page.getByRole('treeitem', { name: new RegExp(`^${name}`) })).toHaveCount(0)
}

test('the environment that was chosen to copy to or from, and that others delete, gives way to no other', async ({ startApp, service }) => {
  const full = { A_HOST: 'one', B_PORT: 'two' }
  const projects = { Fernweh: { Staging: full, Preview: full, Empty: { OWN: 'yes' } } }
  const { page } = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  await expectSync(page, 'synced')
  await item(page, 'Empty').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy from another environment…' }).click()
  const dialog = page.getByRole('dialog')
  const first = dialog.getByRole('radio').first()
  await expect(first).toBeChecked()
  const name = (await first.getAttribute('value')) === null ? '' : ((await dialog.locator('label .name').first().textContent()) ?? '')
  const chosen = name.replace('From ', '')
  await deleteElsewhere(page, service, `fernweh/environments/${chosen.toLowerCase()}`, chosen)
  await expect(dialog.getByRole('radio')).toHaveCount(1)
  await expect(dialog.getByRole('radio')).not.toBeChecked()
  await expect(dialog.getByRole('button', { name: /^Copy/ })).toBeDisabled()
  await dialog.getByRole('radio').check()
  await dialog.getByRole('button', { name: 'Copy 2 variables' }).click()
  await expect(dialog).toBeHidden()
  await expectCount(page, 3)

  const left = chosen === 'Staging' ? 'Preview' : 'Staging'
  await page.getByTestId('variable-row').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  await expect(dialog.getByRole('radio', { name: new RegExp(left) })).toBeChecked()
  await deleteElsewhere(page, service, `fernweh/environments/${left.toLowerCase()}`, left)
  await expect(dialog).toContainText('This workspace has no other environment.')
  await expect(dialog.getByRole('button', { name: 'Copy', exact: true })).toBeDisabled()
})

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
