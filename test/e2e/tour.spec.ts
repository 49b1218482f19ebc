import { expect, test } from './fixtures.ts'
import { unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { photograph } from './steps/photograph.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable } from './steps/variables.ts'
import { createProject, startLocalWorkspace } from './steps/workspaces.ts'

test('a first start takes two steps with a sample project, by keyboard, and never comes again', async ({ app, driver }) => {
  const { page } = app
  await startLocalWorkspace(page)
  const tour = page.getByTestId('tour')
  await expect(tour).toContainText('Start with a sample')
  await photograph(page, driver, 'tour-1')
  await tour.getByRole('button', { name: 'Add sample' }).focus()
  await page.keyboard.press('Enter')
  await expect(tour).toContainText('Work from the keyboard')
  await expect(page.getByTestId('project-item')).toHaveAttribute('data-name', 'Web shop')
  await expect(page.getByTestId('variable-row').first()).toBeVisible()
  await photograph(page, driver, 'tour-2')
  await expect(tour.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tour).toBeHidden()

  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByTestId('variable-row').first()).toBeVisible()
  await expect(app.page.getByTestId('tour')).toHaveCount(0)
})

test('a sample that was undone is redone from the empty name field of a new project', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await page.getByTestId('tour').getByRole('button', { name: 'Add sample' }).click()
  const project = page.getByTestId('project-item')
  await expect(page.getByTestId('variable-row').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(project).toHaveCount(0)
  await page.getByRole('complementary').getByRole('button', { name: 'New project' }).click()
  const name = page.getByLabel('New project name')
  await expect(name).toBeFocused()

  // Text that was typed has an undo of its own.
  await name.pressSequentially('Fern')
  await name.press('ControlOrMeta+z')
  await expect(project).toHaveCount(0)
  await name.press('Escape')

  await page.getByRole('complementary').getByRole('button', { name: 'New project' }).click()
  await name.press('ControlOrMeta+Shift+z')
  await expect(project).toHaveAttribute('data-name', 'Web shop')
})

test('the second step of the tour waits for a table to speak of', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  const tour = page.getByTestId('tour')
  await page.getByRole('complementary').getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('New project name').fill('Fernweh')
  await page.getByLabel('New project name').press('Enter')
  await expect(page.getByLabel('New environment name')).toBeFocused()
  await expect(tour).toContainText('Add an environment')
  await page.keyboard.press('Escape')
  await tour.getByRole('button', { name: 'New environment' }).click()
  await page.getByLabel('New environment name').fill('Production')
  await page.getByLabel('New environment name').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Production')
  await expect(tour).toContainText('Add a variable')
  await addVariable(page, 'LOG_LEVEL', 'info')
  await expect(tour).toContainText('Work from the keyboard')

  // A lock loads the page again, and not the tour.
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await unlock(page)
  await expect(tour).toContainText('Work from the keyboard')
})

test('a tour that is skipped is over for good, and the empty workspace still says the next step', async ({ app }) => {
  await startLocalWorkspace(app.page)
  await app.page.getByTestId('tour').getByRole('button', { name: 'Skip' }).click()
  await expect(app.page.getByTestId('tour')).toBeHidden()
  await expect(app.page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  await expect(app.page.getByTestId('tour')).toHaveCount(0)
  await app.page.getByRole('button', { name: 'Add a sample' }).click()
  await expect(app.page.getByTestId('variable-row').first()).toBeVisible()
})

test('whoever deletes the only environment or project is offered to restore it, and is not shown the first steps again', async ({
  app,
}) => {
  const { page } = app
  await startLocalWorkspace(page)
  await createProject(page, 'Fernweh', 'Production')
  const tour = page.getByTestId('tour')
  await expect(tour).toContainText('Add a variable')
  // What was never sent is not kept.
  await expectSync(page, 'synced')
  const deleteItem = async (testid: string) => {
    await page.getByTestId(testid).focus()
    await page.keyboard.press('Delete')
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(page.getByTestId(testid)).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('button', { name: 'Restore deleted…' })).toBeVisible()
    await expect(tour).toHaveCount(0)
  }
  await deleteItem('environment-item')
  await deleteItem('project-item')
  await expect(page.getByRole('heading', { name: 'No projects', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /sample/ })).toHaveCount(0)
  await look(page, 'all projects deleted')
  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByRole('heading', { name: 'No projects', exact: true })).toBeVisible()
  await expect(app.page.getByTestId('tour')).toHaveCount(0)
})
