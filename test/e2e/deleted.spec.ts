import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, expectValue } from './steps/variables.ts'
import { createEnvironment, createProject, startLocalWorkspace } from './steps/workspaces.ts'

async function deleteParent(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('treeitem', { name }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByRole('treeitem', { name })).toBeHidden()
  await expectSync(page, 'synced')
}

async function openDeleted(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /^Find a command/ }).fill('restore deleted')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('deleted-dialog')).toBeVisible()
}

test('a deleted environment, then its project, are restored whole from the list of what was deleted', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await createProject(page, 'Fernweh', 'Production')
  await addVariable(page, 'LOG_LEVEL', 'info')
  await createEnvironment(page, 'Fernweh', 'Staging')
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
  await row.getByRole('button', { name: 'Restore Production' }).click()
  await expect(dialog).toContainText('No deleted project')
  await page.keyboard.press('Escape')
  await expectValue(page, 'LOG_LEVEL', 'info')

  await deleteParent(page, /^Fernweh/)
  await openDeleted(page)
  await expect(row).toContainText('2 environments, 1 variable')
  await row.getByRole('button', { name: 'Restore Fernweh' }).click()
  await expect(dialog).toContainText('No deleted project')
  await page.keyboard.press('Escape')
  await page.getByRole('treeitem', { name: /^Production/ }).click()
  await expectValue(page, 'LOG_LEVEL', 'info')
})
