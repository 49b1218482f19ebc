import { expect, test } from './fixtures.ts'
import { clickTool } from './steps/click-tool.ts'
import { expectSync } from './steps/sync.ts'
import { expectValue, rowOf } from './steps/variables.ts'

test('a new user looks around a sample workspace without typing anything', async ({ app }) => {
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  await app.page.getByRole('button', { name: 'Look around' }).click()

  const grid = app.page.getByTestId('variables-grid')
  await expect(grid.getByTestId('variable-row').first()).toBeVisible()
  await expect(app.page.getByTestId('environment-item').first()).toBeVisible()
  await expect(app.page.getByTestId('environment-item').nth(1)).toBeVisible()

  const secret = grid
    .getByTestId('variable-row')
    .filter({ has: app.page.getByRole('img', { name: 'Hidden value' }) })
    .first()
  const name = (await secret.getAttribute('data-name')) ?? ''
  await secret.hover()
  await secret.getByRole('button', { name: `Reveal ${name}` }).click()
  await expect(rowOf(app.page, name).getByTestId('value-cell')).not.toHaveText(/^•*$/)
  // Its service is behind it.
  await expectSync(app.page, 'synced')
})

test('the sample can be edited, and is gone after a restart', async ({ app }) => {
  await app.page.getByRole('button', { name: 'Look around' }).click()
  // One of the type string: a boolean has a switch.
  const first = app.page
    .getByTestId('variable-row')
    .filter({ has: app.page.getByRole('button', { name: /^Type of .*: string$/ }) })
    .first()
  const name = (await first.getAttribute('data-name')) ?? ''
  await clickTool(first, `Edit ${name}`)
  await app.page.getByRole('textbox', { name: `Value of ${name}` }).fill('typed in the sample')
  await app.page.getByRole('textbox', { name: `Value of ${name}` }).press('Enter')
  await expectValue(app.page, name, 'typed in the sample')

  await app.restart()
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
})
