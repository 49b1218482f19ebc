import { expect, test } from './fixtures.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, editVariable } from './steps/variables.ts'
import { connectWithNewKey, createEnvironment, createProject } from './steps/workspaces.ts'

test('deleting an environment or a project says first what of it was never sent', async ({ app, service }) => {
  const { page } = app
  await connectWithNewKey(page, service)
  await createProject(page, 'Fernweh', 'Production')
  await addVariable(page, 'LOG_LEVEL', 'info')
  await createEnvironment(page, 'Fernweh', 'Staging')
  await expectSync(page, 'synced')
  await service.stop()
  const production = page.getByRole('treeitem', { name: /^Production/ })
  await production.click()
  await editVariable(page, 'LOG_LEVEL', 'debug')
  await addVariable(page, 'NEW_OFFLINE', 'typed on a train')

  const dialog = page.getByRole('alertdialog')
  const ask = async (name: RegExp) => {
    await page.getByRole('treeitem', { name }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await expect(dialog).toBeVisible()
  }
  await ask(/^Staging/)
  await expect(dialog).toContainText('0 variables go with it')
  await expect(dialog).not.toContainText('not sent yet')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await ask(/^Fernweh/)
  await expect(dialog).toContainText('2 edits in it were not sent yet')
  // A quick Enter deletes no project.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(production).toBeVisible()

  await ask(/^Production/)
  await expect(dialog).toContainText('2 edits in it were not sent yet')
  await dialog.getByRole('button', { name: 'Delete environment' }).click()
  await expect(production).toBeHidden()
})
