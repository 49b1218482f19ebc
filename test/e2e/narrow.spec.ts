import { expect, test } from './fixtures.ts'
import { openComparison } from './steps/compare.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { look } from './steps/look.ts'
import { paste } from './steps/paste.ts'
import { expectSync, openQueue } from './steps/sync.ts'
import { addVariable } from './steps/variables.ts'
import { createEnvironment, startLocalWorkspace } from './steps/workspaces.ts'

const longProject = 'A project with a long name that nobody should choose but somebody will'
const longEnvironment = 'production europe west frankfurt primary cluster number one'

test('in a narrow window long names leave room for what is typed, and for the buttons of what is said', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { [longProject]: { [longEnvironment]: { DATABASE_URL: 'postgres://localhost' } } } },
  })
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
  await page.getByTestId('variables-grid').focus()
  await expect(taken).toBeHidden()
  await expect(name).toHaveValue('DATABASE_URL')
  await expect(name).toHaveAttribute('aria-invalid', 'true')

  await holdToasts(page)
  await page.locator('[data-testid="project-item"]').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete project' }).click()
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  expect((await undo.boundingBox())?.height).toBeLessThan(30)
})

test('in a narrow window nothing is cut that has room, and no toast lies over what a row says', async ({ app }) => {
  const { page } = app
  await page.setViewportSize({ width: 900, height: 600 })
  await startLocalWorkspace(page)
  await holdToasts(page)
  await page.getByLabel('New project name').fill(longProject)
  await page.getByLabel('New project name').press('Enter')
  await page.getByLabel('New environment name').press('Escape')
  const tour = page.getByTestId('tour')
  await expect(tour).toContainText('Add an environment')
  const [card, skip] = [await tour.boundingBox(), await tour.getByRole('button', { name: 'Skip' }).boundingBox()]
  if (card === null || skip === null) throw new Error('The tour is not on the screen.')
  expect(skip.x + skip.width).toBeLessThanOrEqual(card.x + card.width - 8)
  await tour.getByRole('button', { name: 'New environment' }).click()
  await page.getByLabel('New environment name').fill(longEnvironment)
  await page.getByLabel('New environment name').press('Enter')

  await addVariable(page, 'BASE', 'https://${HOST}/v1')
  const toast = page.locator('.toast')
  await expect(toast).toContainText('Added BASE')
  await page.locator('[data-testid="variable-row"]').first().click()
  const peek = page.getByTestId('peek')
  await expect(peek).toHaveText('HOST isn’t defined in this environment.')
  const [said, shown] = [await toast.boundingBox(), await peek.boundingBox()]
  if (said === null || shown === null) throw new Error('The toast or what the row says is not on the screen.')
  expect(shown.x + shown.width).toBeLessThanOrEqual(said.x)

  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('toolbar', { name: 'Actions for selected variables' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear', exact: true })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')

  await createEnvironment(page, longProject, 'Staging')
  await openComparison(page, longProject)
  const title = page.locator('h1 .title')
  await expect(title).toHaveText('Compare')
  expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

test('in the smallest window at 150 % everything can be reached', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await page.getByLabel('New project name').fill('Fernweh')
  await page.getByLabel('New project name').press('Enter')
  await page.getByLabel('New environment name').fill('Production')
  await page.getByLabel('New environment name').press('Enter')
  await addVariable(page, 'LOG_LEVEL', 'info')
  await expect(page.getByTestId('tour')).toBeVisible()
  await page.setViewportSize({ width: 480, height: 320 })
  await expect(page.getByTestId('tour')).toBeHidden()
  // Nothing scrolls sideways to what takes the focus.
  const buttons = [
    page.getByRole('button', { name: 'New variable', exact: true }),
    page.getByRole('button', { name: 'More for this environment' }),
  ]
  for (const button of buttons) await expect(button).toBeInViewport({ ratio: 1 })
  const wider = () => page.locator('.window').evaluate((frame) => frame.scrollWidth - frame.clientWidth)
  expect(await wider()).toBe(0)
  await page.getByRole('searchbox', { name: 'Filter variables' }).fill('LOG')
  expect(await wider()).toBe(0)
  await page.getByRole('searchbox', { name: 'Filter variables' }).fill('')

  // The screen covers the sidebar until that is used.
  const isOnTop = () =>
    page.getByTestId('project-item').evaluate((item) => {
      const { right, top } = item.getBoundingClientRect()
      return item.contains(document.elementFromPoint(right - 2, top + 8))
    })
  expect(await isOnTop()).toBe(false)
  await page.getByTestId('project-item').focus()
  expect(await isOnTop()).toBe(true)
  await page.getByTestId('variables-grid').focus()
  expect(await isOnTop()).toBe(false)
})

test('in a narrow window all of many unsent changes, below a notice, can be reached by keys', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await expectSync(page, 'synced')
  await service.revokeKey()
  const lines = Array.from({ length: 40 }, (_, at) => `BULK_${at}=${'a long value '.repeat(80)}`)
  await paste(page.getByTestId('variables-grid'), lines.join('\n'))
  await page.getByRole('dialog').getByRole('button', { name: 'Import 40 variables' }).click()
  await expectSync(page, 'attention')
  await openQueue(page)
  await expect(page.getByTestId('queued-fields')).toBeVisible()
  await look(page, 'many unsent changes below a notice')
  const long = page.getByTestId('queued-fields').locator('dd').first()
  await long.focus()
  await page.keyboard.press('End')
  await expect.poll(() => long.evaluate((box) => box.scrollTop)).toBeGreaterThan(0)
  await expect(long).toBeFocused()
})
