import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { readClipboard } from './steps/clipboard.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { look } from './steps/look.ts'
import { expectSync, openQueue, syncNow } from './steps/sync.ts'
import { expectCount, expectValue } from './steps/variables.ts'
import { saveVersion } from './steps/versions.ts'
import { deleteParent } from './steps/workspaces.ts'

async function openDeleted(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /^Find a command/ }).fill('restore deleted')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('deleted-dialog')).toBeVisible()
}

test('a deleted environment, then its project, are restored whole from the list of what was deleted', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { LOG_LEVEL: 'info' }, Staging: {} } } } })
  await expectSync(page, 'synced')

  await deleteParent(page, /^Production/)
  await openDeleted(page)
  const dialog = page.getByTestId('deleted-dialog')
  const row = dialog.getByTestId('deleted-row')
  await expect(row).toContainText('Environment of Fernweh')
  await expect(row).toContainText('1 variable')
  // Of a workspace on this computer nothing is said to be on a service.
  await expect(dialog).not.toContainText(/service/i)
  await look(page, 'deleted projects and environments')
  await expect(row.getByRole('button', { name: 'Restore Production' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('No deleted project')
  await page.keyboard.press('Escape')
  await expectValue(page, 'LOG_LEVEL', 'info')
  // What was deleted with it and is back as it was is no change to look through.
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: 'Value history…' }).click()
  await expect(page.getByTestId('history-dialog')).toContainText('Nothing was overwritten or deleted here')
  await page.keyboard.press('Escape')

  await deleteParent(page, /^Fernweh/)
  // Where nothing is left, the way back is on the screen.
  await page.getByRole('main').getByRole('button', { name: 'Restore deleted…' }).click()
  await expect(dialog).toBeVisible()
  await expect(row).toContainText('2 environments, 1 variable')
  await row.getByRole('button', { name: 'Restore Fernweh' }).click()
  await expect(dialog).toContainText('No deleted project')
  await page.keyboard.press('Escape')
  await page.getByRole('treeitem', { name: /^Production/ }).click()
  await expectValue(page, 'LOG_LEVEL', 'info')
})

test('on a service that keeps nothing a deleted project is restored from this computer, and waits where it cannot be created', async ({
  startApp,
  service,
}) => {
  const app = await startApp('mine', { workspace: { service, projects: { Fernweh: { Production: { LOG_LEVEL: 'info', PORT: '8080' } } } } })
  const { page } = app
  await saveVersion(page, 'first', '')
  await expectSync(page, 'synced')
  await service.become('no-feed')
  await syncNow(page)
  await expectSync(page, 'synced')

  await deleteParent(page, /^Fernweh/)
  await openDeleted(page)
  const dialog = page.getByTestId('deleted-dialog')
  const row = dialog.getByTestId('deleted-row')
  await expect(row).toContainText('1 environment, 2 variables, 1 version')
  await expect(row).toContainText('From this computer')
  await look(page, 'deleted project of a service that keeps nothing')
  await row.getByRole('button', { name: 'Restore Fernweh' }).click()
  await expect(dialog).toContainText('No deleted project')
  await page.keyboard.press('Escape')
  await page.getByRole('treeitem', { name: /^Production/ }).click()
  await expectCount(page, 2)
  await expectValue(page, 'LOG_LEVEL', 'info')
  await expectValue(page, 'PORT', '8080')
  await expectSync(page, 'attention')
  await openQueue(page)
  await look(page, 'restored project that its service cannot create')
  await page.keyboard.press('Escape')

  // It learns to create projects: everybody has it again.
  await service.become('full')
  await syncNow(page)
  await expectSync(page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: app.workspaceKey } })
  await expectValue(theirs.page, 'LOG_LEVEL', 'info')
})

test('the undo of a deletion that was sent restores the environment with its versions', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { LOG_LEVEL: 'info' }, Staging: {} } } } })
  await expectSync(page, 'synced')
  await page.getByRole('treeitem', { name: /^Production/ }).click()
  await saveVersion(page, 'before-release', '')
  await expectSync(page, 'synced')
  await holdToasts(page)
  await deleteParent(page, /^Production/)
  await expect(page.getByRole('treeitem', { name: /^Production/ })).toHaveCount(0)
  await expectSync(page, 'synced')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('treeitem', { name: /^Production/ }).press('v')
  await expect(page.getByTestId('version-item')).toHaveCount(1)
})

test('an environment that is deleted under its user takes the keys until they open another, and gives back what was typed in it', async ({
  startApp,
  service,
  driver,
}) => {
  const projects = { Fernweh: { Production: { A_HOST: 'one', B_PORT: 'two' }, Staging: { C_PATH: 'three' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 5 } })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  const { page } = mine
  await page.getByRole('treeitem', { name: /Staging/ }).click()
  await expectCount(page, 1)
  await page.getByLabel('New variable name').fill('DATABASE_URL')
  await page.keyboard.press('Enter')
  await page.keyboard.type('postgres:/ ')
  await deleteParent(theirs.page, /Staging/)
  const deleted = page.getByTestId('place-deleted')
  await expect(deleted).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Staging was deleted')
  // The end of what was being typed: in a table these keys are commands.
  await page.keyboard.press('Backspace')
  await page.keyboard.type('/tqn')
  await page.keyboard.press('Enter')
  await expect(deleted).toBeFocused()
  await look(page, 'deleted environment')
  await deleted.getByRole('button', { name: 'Copy what you typed' }).click()
  await expect.poll(() => readClipboard(mine, driver)).toBe('DATABASE_URL=postgres:/ ')
  await deleted.getByRole('button', { name: 'Open Production' }).click()
  await expectCount(page, 2)
  await expect(page.getByTestId('variables-grid')).toBeFocused()
  // It can be copied from any screen until it is discarded, also by the next page.
  const strip = page.getByTestId('typed-in-deleted')
  await expect(strip).toBeVisible()
  await page.reload()
  await expectCount(page, 2)
  await look(page, 'typed in a deleted environment')
  await strip.getByRole('button', { name: 'Copy what you typed' }).click()
  await expect.poll(() => readClipboard(mine, driver)).toBe('DATABASE_URL=postgres:/ ')
  await strip.getByRole('button', { name: 'Discard' }).click()
  await expect(strip).toHaveCount(0)
  await expect(page.getByTestId('variables-grid')).toBeFocused()
  await page.reload()
  await expectCount(page, 2)
  await expect(strip).toHaveCount(0)
})

test('after the last environment was deleted, the next one that comes is shown', async ({ startApp, service }) => {
  const projects = { Fernweh: { Production: { LOG_LEVEL: 'info' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 5 } })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  await deleteParent(mine.page, /^Production/)
  await syncNow(mine.page)
  await syncNow(theirs.page)
  await theirs.page.getByRole('main').getByRole('button', { name: 'New environment' }).click()
  await theirs.page.keyboard.type('Staging')
  await theirs.page.keyboard.press('Enter')
  await expect(mine.page.getByRole('treeitem', { name: /^Staging/ })).toBeVisible()
  await expect(mine.page.getByTestId('variables-grid')).toBeVisible()
})
