import { expect, test } from './fixtures.ts'
import { addVariable } from './steps/variables.ts'
import { createProject, startLocalWorkspace } from './steps/workspaces.ts'

const longProject = 'A project with a long name that nobody should choose but somebody will'
const longEnvironment = 'production europe west frankfurt primary cluster number one'

test('in a narrow window long names leave room for what is typed, and for the buttons of what is said', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await createProject(page, longProject, longEnvironment)
  await addVariable(page, 'DATABASE_URL', 'postgres://localhost')
  const field = page.getByRole('searchbox', { name: 'Filter variables' })
  for (const width of [900, 640]) {
    await page.setViewportSize({ width, height: 500 })
    await field.fill('DATABASE')
    await expect.poll(() => field.evaluate((input) => input.scrollWidth - input.clientWidth), `at ${width}`).toBeLessThanOrEqual(0)
    // Nothing was pushed out of the window for it.
    await expect(page.getByTestId('sync-pill')).toBeInViewport({ ratio: 1 })
    await field.fill('')
  }

  // A name in use is told while it is typed; whoever leaves for the table sees its head again.
  await page.setViewportSize({ width: 900, height: 600 })
  const name = page.getByLabel('New variable name')
  await name.fill('DATABASE_URL')
  const taken = page.getByText('DATABASE_URL already exists here. Choose another name, or edit that variable.')
  await expect(taken).toBeVisible()
  await name.press('Escape')
  await expect(page.getByTestId('variables-grid')).toBeFocused()
  await expect(taken).toBeHidden()
  await expect(name).toHaveValue('DATABASE_URL')
  await expect(name).toHaveAttribute('aria-invalid', 'true')

  await page.locator('[data-testid="project-item"]').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete project' }).click()
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  expect((await undo.boundingBox())?.height).toBeLessThan(30)
})
