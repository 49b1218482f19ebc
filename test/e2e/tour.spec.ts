import { expect, test } from './fixtures.ts'
import { unlock } from './steps/keys.ts'
import { photograph } from './steps/photograph.ts'
import { startLocalWorkspace } from './steps/workspaces.ts'

test('a first start takes two steps with a sample project, by keyboard, and never comes again', async ({ app, driver }) => {
  const { page } = app
  await startLocalWorkspace(page)
  const tour = page.getByTestId('tour')
  await expect(tour).toContainText('1 of 2')
  await photograph(page, driver, 'tour-1')
  await tour.getByRole('button', { name: 'Add the sample' }).focus()
  await page.keyboard.press('Enter')
  await expect(tour).toContainText('2 of 2')
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

test('a tour that is skipped is over for good, and the empty workspace still says the next step', async ({ app }) => {
  await startLocalWorkspace(app.page)
  await app.page.getByTestId('tour').getByRole('button', { name: 'Skip' }).click()
  await expect(app.page.getByTestId('tour')).toBeHidden()
  await expect(app.page.getByRole('heading', { name: 'No project yet' })).toBeVisible()
  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByRole('heading', { name: 'No project yet' })).toBeVisible()
  await expect(app.page.getByTestId('tour')).toHaveCount(0)
  await app.page.getByRole('button', { name: 'Add a sample' }).click()
  await expect(app.page.getByTestId('variable-row').first()).toBeVisible()
})
