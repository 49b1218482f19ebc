import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { clickTool } from './click-tool.ts'

/** The row of a variable, brought into view by the filter. Only rows in view exist. */
export async function findVariable(page: Page, name: string): Promise<Locator> {
  await page.getByLabel('Filter variables').fill(name)
  const row = rowOf(page, name)
  await expect(row).toBeVisible()
  return row
}

/** The row of a variable, where it is in view. */
export const rowOf = (page: Page, name: string): Locator => page.locator(`[data-testid="variable-row"][data-name="${name}"]`)

/** Shows all variables again. */
export const clearFilter = (page: Page): Promise<void> => page.getByLabel('Filter variables').fill('')

/** Waits until a variable shows `value`, revealing it where it is hidden. */
export async function expectValue(page: Page, name: string, value: string): Promise<void> {
  const row = await findVariable(page, name)
  const reveal = row.getByRole('button', { name: `Reveal ${name}` })
  const cell = row.getByTestId('value-cell')
  await expect(async () => {
    if (await reveal.isVisible()) await reveal.click()
    await expect(cell).toHaveText(value, { timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  await clearFilter(page)
}

export async function addVariable(page: Page, name: string, value: string): Promise<void> {
  await page.getByLabel('New variable name').fill(name)
  await page.getByRole('textbox', { name: 'New variable value' }).fill(value)
  await page.getByRole('button', { name: 'Add variable' }).click()
  await expect(page.getByLabel('New variable name')).toHaveValue('')
}

export async function editVariable(page: Page, name: string, value: string): Promise<void> {
  const row = await findVariable(page, name)
  await clickTool(row, `Edit ${name}`)
  const field = page.getByRole('textbox', { name: `Value of ${name}` })
  await field.fill(value)
  await field.press('Enter')
  await expect(field).toBeHidden()
  await clearFilter(page)
}

export async function deleteVariable(page: Page, name: string): Promise<void> {
  const row = await findVariable(page, name)
  await clickTool(row, `Delete ${name}`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
  await clearFilter(page)
}

/** Pastes `text` into the import dialog and applies all of it, in an environment that was empty. Gives how many variables there are now. */
export async function importText(page: Page, text: string): Promise<number> {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  await dialog.getByLabel('Text to import').fill(text)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const apply = dialog.getByRole('button', { name: /^Import [\d,]+ variables?$/ })
  const count = Number(/\d+/.exec(await apply.innerText())?.[0])
  await apply.click()
  await expect(dialog).toBeHidden()
  return count
}

/** Waits until the table counts `count` variables. */
export async function expectCount(page: Page, count: number): Promise<void> {
  // Without a variable there is no table, only words on how to begin.
  if (count === 0) await expect(page.getByTestId('variable-row')).toHaveCount(0)
  else await expect(page.getByTestId('variables-grid')).toHaveAttribute('aria-rowcount', `${count + 1}`)
}
