import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { runsAll } from './runs-all.ts'
import { dropFile } from './steps/drop-file.ts'
import { clearFilter, expectCount, expectValue, findVariable, rowOf } from './steps/variables.ts'

const typeOf = (page: Page, name: string, type: string) => rowOf(page, name).getByRole('button', { name: `Type of ${name}: ${type}` })
const secretOf = (page: Page, name: string) => rowOf(page, name).getByRole('switch', { name: `Secret: ${name}` })

/** More than any screen holds. The number that Holdfast is made for takes a minute of processor time. */
const many = runsAll ? 10_000 : 2000
const written = many.toLocaleString('en')

test(`${written} variables of a dropped file are imported, walked, selected and taken back by one undo`, async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  const name = (at: number) => `SETTING_${String(at).padStart(4, '0')}`
  const text = Array.from({ length: many }, (_, at) => `${name(at)}=value ${at}`).join('\n')
  await dropFile(page.getByRole('region', { name: 'Variables of Production' }), 'large.env', text)
  const dialog = page.getByTestId('import-dialog')
  await expect(dialog).toContainText(`large.env: ${written} new`, { timeout: 120_000 })
  expect(await dialog.getByTestId('import-line').count()).toBeLessThan(60)
  await dialog.getByRole('button', { name: `Import ${written} variables` }).click()
  await expect(dialog).toHaveCount(0, { timeout: 240_000 })
  await expectCount(page, many)

  // The head stands over its columns, whether there is a scrollbar beside them or not.
  const columnsAt = async () => {
    const heads = page.getByTestId('variables-grid').getByRole('columnheader')
    const cells = page.getByTestId('variable-row').first().locator('[role="gridcell"], [role="rowheader"]')
    const lefts = async (all: typeof heads) => all.evaluateAll((each) => each.map((one) => one.getBoundingClientRect().left))
    const [above, below] = [await lefts(heads), await lefts(cells)]
    expect(above).toEqual(below)
    return above
  }
  const whileLong = await columnsAt()
  expect(whileLong.length).toBeGreaterThan(4)

  // Only what is in view exists, wherever that is.
  const grid = page.getByTestId('variables-grid')
  const isAt = async (at: number, value: string) => {
    await expect(rowOf(page, name(at))).toBeInViewport()
    await expect(rowOf(page, name(at)).getByTestId('value-cell')).toHaveText(value)
    expect(await page.getByTestId('variable-row').count()).toBeLessThan(80)
  }
  await grid.press('Control+End')
  await isAt(many - 1, `value ${many - 1}`)
  await grid.press('Control+Home')
  await isAt(0, 'value 0')
  await findVariable(page, name(1777))
  await isAt(1777, 'value 1777')
  await expect(page.getByTestId('variable-row')).toHaveCount(1)
  expect(await columnsAt()).toEqual(whileLong)
  await clearFilter(page)

  // What is a little out of sight is not deleted unasked, though it is loaded.
  await grid.press('Control+Home')
  await grid.press('Shift+PageDown')
  await grid.press('Shift+ArrowDown')
  await grid.press('Shift+ArrowDown')
  await grid.press('Shift+ArrowDown')
  await grid.press('Delete')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await grid.press('Escape')

  await grid.press('Control+a')
  await expect(page.getByText(`${written} selected`)).toBeVisible()
  // What is out of sight is not deleted unasked.
  await grid.press('Delete')
  const question = page.getByRole('alertdialog', { name: `Delete ${written} variables?` })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(grid).toBeFocused()
  await grid.press('Control+z')
  await expect(page.getByText('No variables in Production yet')).toBeVisible({ timeout: 240_000 })
})

test('some variables are selected, and what is done with them at once is undone and done again', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Staging: {}, Production: 'A=1\nB=2\nC=3\nD=4\nE=5\n' } } },
  })
  await expectCount(page, 5)
  const grid = page.getByTestId('variables-grid')
  const cell = (name: string) => rowOf(page, name).getByText(name, { exact: true })
  const expectSelected = async (names: readonly string[]) => {
    for (const name of ['A', 'B', 'C', 'D', 'E'])
      await expect(rowOf(page, name)).toHaveAttribute('aria-selected', String(names.includes(name)))
  }

  // By the mouse, as in a spreadsheet: a range, then one more.
  await cell('A').click()
  await cell('C').click({ modifiers: ['Shift'] })
  await expectSelected(['A', 'B', 'C'])
  await cell('E').click({ modifiers: ['ControlOrMeta'] })
  await expectSelected(['A', 'B', 'C', 'E'])
  await page.getByRole('button', { name: 'Mark secret' }).click()
  await expect(grid).toBeFocused()
  await expectSelected([])
  for (const name of ['A', 'B', 'C', 'E']) await expect(secretOf(page, name)).toBeChecked()
  await expect(secretOf(page, 'D')).not.toBeChecked()
  await grid.press('Control+z')
  await expect(secretOf(page, 'E')).not.toBeChecked()
  await grid.press('Control+Shift+z')
  await expect(secretOf(page, 'E')).toBeChecked()

  // By keyboard.
  await cell('B').click()
  await grid.press('Shift+ArrowDown')
  await expectSelected(['B', 'C'])
  await page.getByRole('button', { name: 'Type', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'number' }).click()
  for (const name of ['B', 'C']) await expect(typeOf(page, name, 'number')).toBeVisible()
  await expect(typeOf(page, 'A', 'string')).toBeVisible()
  await expect(grid).toBeFocused()

  // Into another environment.
  await cell('B').click()
  await grid.press('Shift+ArrowDown')
  await expectSelected(['B', 'C'])
  await page.getByRole('button', { name: 'Copy to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy 2 variables to' })
  await dialog.getByRole('radio', { name: /^Staging/ }).check()
  await holdToasts(page)
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Copied 2 variables to Staging', { exact: true })).toBeVisible()
  await expectCount(page, 5)

  await grid.press('Control+a')
  await expect(page.getByText('5 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expectCount(page, 0)
  await page.getByTestId('environment-item').filter({ hasText: 'Staging' }).click()
  await expectCount(page, 2)
  await expectValue(page, 'C', '3')
  await page.getByTestId('environment-item').filter({ hasText: 'Production' }).click()
  await expect(page.getByText('No variables in Production yet')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expectCount(page, 5)
  await expectValue(page, 'A', '1')
})
