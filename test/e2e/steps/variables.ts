import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import type { RowSync } from '../../../electron/bridge/rows.ts'
import { clickTool } from './click-tool.ts'
import { setCode } from './code.ts'

/** Types into the filter, and waits until the table shows what it leaves: rows that still move are clicked beside. */
async function filterBy(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Filter variables')
  await expect(async () => {
    await field.fill(text, { timeout: 5000 })
    // A page that is loaded anew, as it is when keys are locked or given, forgets what was typed just before.
    await expect(page.getByTestId('variables-grid')).toHaveAttribute('data-filter', text, { timeout: 5000 })
  }).toPass({ timeout: 60_000 })
}

/** The row of a variable, brought into view by the filter. Only rows in view exist. */
export async function findVariable(page: Page, name: string): Promise<Locator> {
  await filterBy(page, name)
  const row = rowOf(page, name)
  await expect(row).toBeVisible()
  return row
}

/** The row of a variable, where it is in view. */
export const rowOf = (page: Page, name: string): Locator => page.locator(`[data-testid="variable-row"][data-name="${name}"]`)

/** Shows all variables again. */
export const clearFilter = (page: Page): Promise<void> => filterBy(page, '')

/** Waits until a variable shows `value`, revealing it where it is hidden. */
export async function expectValue(page: Page, name: string, value: string): Promise<void> {
  const row = await findVariable(page, name)
  const reveal = row.getByRole('button', { name: `Reveal ${name}` })
  const cell = row.getByTestId('value-cell')
  await expect(async () => {
    // The tools of a row show under the pointer; this one comes and goes with the type that is guessed or synced, so that it is looked for at every try.
    await row.hover({ timeout: 5000 })
    if (await reveal.isVisible()) await reveal.click({ timeout: 5000 })
    await expect(cell).toHaveText(value, { timeout: 2000 })
  }).toPass({ timeout: 90_000 })
  await clearFilter(page)
}

/** Waits until the row of a variable in view stands so, and says `why` to readers and to the pointer. */
export async function expectRowSync(page: Page, name: string, sync: RowSync, why: RegExp): Promise<void> {
  const cell = rowOf(page, name).getByTestId('sync-cell')
  await expect(cell.locator('[data-sync]')).toHaveAttribute('data-sync', sync, { timeout: 120_000 })
  await expect(cell).toHaveAccessibleName(why)
  await expect(async () => {
    // From elsewhere: over what was drawn anew beneath it, a pointer says nothing.
    await page.mouse.move(0, 0)
    await cell.locator('[data-sync]').hover({ timeout: 5000 })
    await expect(page.locator('.tip')).toHaveText(why, { timeout: 2000 })
  }).toPass({ timeout: 60_000 })
  await page.mouse.move(0, 0)
}

export async function addVariable(page: Page, name: string, value: string): Promise<void> {
  const field = page.getByLabel('New variable name')
  await field.fill(name)
  await page.getByRole('textbox', { name: 'New variable value' }).fill(value)
  await page.getByRole('button', { name: 'Add variable' }).click()
  await expect(field).toHaveValue('')
  // The line takes the next one at once; the variable exists when the application has answered.
  await expect(field).toBeFocused()
  await expect(page.getByRole('form', { name: 'New variable' })).toHaveAttribute('aria-busy', 'false')
}

export async function editVariable(page: Page, name: string, value: string): Promise<void> {
  const row = await findVariable(page, name)
  await clickTool(row, `Edit ${name}`)
  const field = page.getByRole('textbox', { name: `Value of ${name}` })
  await field.fill(value)
  await field.press('Enter')
  await expectEdited(page, field)
  await clearFilter(page)
}

/** Waits until an editor is gone and has given the keyboard back to the table: keys meant for another field would go there. */
export async function expectEdited(page: Page, field: Locator): Promise<void> {
  await expect(field).toBeHidden()
  await expect(page.getByTestId('variables-grid')).toBeFocused()
}

export async function deleteVariable(page: Page, name: string): Promise<void> {
  const row = await findVariable(page, name)
  await clickTool(row, `Delete ${name}`)
  await expect(row).toBeHidden()
  await expect(page.getByTestId('variables-grid')).toBeFocused()
  await clearFilter(page)
}

/** Pastes `text` into the import dialog and applies all of it, in an environment that was empty. Gives how many variables there are now. */
export async function importText(page: Page, text: string): Promise<number> {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), text)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const apply = dialog.getByRole('button', { name: /^Import [\d,]+ variables?$/ })
  await expect(apply).toBeEnabled()
  const count = Number(/\d+/.exec(await apply.innerText())?.[0])
  await apply.click()
  await expect(dialog).toHaveCount(0)
  return count
}

/** Waits until the table counts `count` variables. */
export async function expectCount(page: Page, count: number): Promise<void> {
  // Without a variable there is no table, only words on how to begin.
  if (count === 0) await expect(page.getByTestId('variable-row')).toHaveCount(0)
  else await expect(page.getByTestId('variables-grid')).toHaveAttribute('aria-rowcount', `${count + 1}`)
}
