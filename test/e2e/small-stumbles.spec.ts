import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { AppUnderTest, StartApp } from './fixtures.ts'
import { readClipboard } from './steps/clipboard.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { expectCount, expectValue, rowOf } from './steps/variables.ts'

/** What new users stumbled over, each as a step that failed before it was mended. */

async function startWith(startApp: StartApp, values: Readonly<Record<string, string>>): Promise<AppUnderTest> {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: values } } } })
  await expectCount(app.page, Object.keys(values).length)
  return app
}

const grid = (page: Page) => page.getByTestId('variables-grid')
const newName = (page: Page) => page.getByLabel('New variable name')
const newValue = (page: Page) => page.getByRole('textbox', { name: 'New variable value' })

test('"=" typed in a new name leads to its value, and Enter in an empty name says that one is needed', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day' })
  await grid(page).press('n')
  await expect(newName(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(newName(page)).toBeFocused()
  await expect(page.getByRole('alert')).toHaveText('A variable name can’t be empty.')
  await page.keyboard.type('DB_PASSWORD=s3cret pass')
  await expect(newName(page)).toHaveValue('DB_PASSWORD')
  await expect(newValue(page)).toHaveValue('s3cret pass')
  await page.keyboard.press('Enter')
  await expectValue(page, 'DB_PASSWORD', 's3cret pass')
})

test('Tab goes on from a name to its value, and round within the editor of a value', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day', LOG_LEVEL: 'info' })
  await rowOf(page, 'GREETING').getByText('GREETING', { exact: true }).dblclick()
  await page.getByRole('textbox', { name: 'Name of GREETING' }).fill('WELCOME')
  await page.keyboard.press('Tab')
  const field = page.getByRole('textbox', { name: 'Value of WELCOME' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('good day')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByTestId('editor').getByRole('button').last()).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await rowOf(page, 'WELCOME').getByText('WELCOME', { exact: true }).dblclick()
  await page.getByRole('textbox', { name: 'Name of WELCOME' }).fill('HELLO')
  await page.keyboard.press('Shift+Tab')
  await expect(rowOf(page, 'HELLO')).toBeVisible()
  await expect(grid(page)).toBeFocused()
})

test('a variable is not offered to itself, and a value with references is copied resolved from what is said of its copy', async ({
  startApp,
  driver,
}) => {
  const app = await startWith(startApp, { HOST: 'db.local', URL: 'https://${HOST}/v1', PORT: '80' })
  const { page } = app
  await rowOf(page, 'URL').getByTestId('value-cell').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of URL' })
  await field.fill('')
  await field.pressSequentially('${')
  await expect(page.getByRole('option', { name: 'HOST' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'URL' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()

  await holdToasts(page)
  await rowOf(page, 'URL').getByTestId('value-cell').click()
  await page.keyboard.press('ControlOrMeta+c')
  await page.locator('.toast').getByRole('button', { name: 'Copy resolved' }).click()
  await expect(page.locator('.toast')).toContainText('Copied URL, resolved')
  expect(await readClipboard(app, driver)).toBe('https://db.local/v1')
})

test('the line below the table says why a value does not fit its type, as it says of references', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day', PORT: '80' })
  await rowOf(page, 'PORT').getByTestId('value-cell').click()
  await rowOf(page, 'PORT').getByRole('button', { name: 'Type of PORT' }).click()
  await page.getByRole('menuitemradio', { name: 'number' }).click()
  await expect(grid(page)).toBeFocused()
  await rowOf(page, 'PORT').getByTestId('value-cell').dblclick()
  await page.getByRole('textbox', { name: 'Value of PORT' }).fill('eighty')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('peek')).toHaveText('This isn’t a number. Edit it, or change the type to string.')
})

test('variables in sight are deleted at once, each delete with its Undo', async ({ startApp }) => {
  const { page } = await startWith(startApp, { A: '1', B: '2', C: '3' })
  await holdToasts(page)
  await rowOf(page, 'A').getByTestId('value-cell').click()
  await page.keyboard.press('Delete')
  await expect(page.locator('.toast')).toContainText('Deleted A')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expectCount(page, 2)
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Delete')
  await expect(page.locator('.toast')).toContainText('Deleted 2 variables')
  await expectCount(page, 0)
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await expectCount(page, 2)
  await page.keyboard.press('ControlOrMeta+z')
  await expectValue(page, 'A', '1')
})
