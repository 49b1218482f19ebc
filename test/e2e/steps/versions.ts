import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** Opens the versions of the environment on screen, by keyboard. */
export async function openVersions(page: Page): Promise<void> {
  await page.getByTestId('variables-grid').press('v')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Versions')
  // The list, or the button that saves the first version, takes the keyboard when it has been read.
  await expect(page.getByTestId('version-list').or(page.locator('main .empty').getByRole('button', { name: 'Save version' }))).toBeFocused()
}

/** Back to the variables, by keyboard. */
export async function leaveVersions(page: Page): Promise<void> {
  await page.getByTestId('version-list').press('Escape')
  await expect(page.getByTestId('variables-grid')).toBeFocused()
}

/** Asks for a version of the environment on screen. */
export async function saveVersion(page: Page, label: string, note: string): Promise<void> {
  await page.keyboard.press('Control+s')
  const dialog = page.getByTestId('save-version')
  await expect(dialog.getByLabel('Label')).toBeFocused()
  await dialog.getByLabel('Label').fill(label)
  await dialog.getByLabel('Note').fill(note)
  await dialog.getByLabel('Note').press('Enter')
  await expect(dialog).toBeHidden()
}

/** The item of a version in the list. */
export const versionItem = (page: Page, label: string): Locator => page.locator(`[data-testid="version-item"][data-label="${label}"]`)

/** The line of a variable in the version on screen. */
export const versionRow = (page: Page, name: string): Locator => page.locator(`[data-testid="version-row"][data-name="${name}"]`)

/** Picks a version, and waits until it is shown beside what there is now. */
export async function pickVersion(page: Page, label: string): Promise<void> {
  await versionItem(page, label).click()
  await expect(page.getByTestId('version-pane')).toHaveAttribute('data-label', label)
  await expect(page.getByTestId('version-grid')).toBeVisible()
}

/**
 * Agrees to roll back to the version on screen, whose preview must name just these variables. `isPartial`: of a service that lists none, which
 * the preview must say.
 */
export async function rollBack(
  page: Page,
  names: Readonly<Record<string, 'added' | 'updated' | 'removed'>>,
  isPartial = false,
): Promise<void> {
  await page.keyboard.press('r')
  const dialog = page.getByTestId('rollback-dialog')
  await expectEffect(dialog, names)
  await expect(dialog.getByText('don’t track')).toBeVisible({ visible: isPartial })
  await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Waits until a preview names just these variables. */
export async function expectEffect(dialog: Locator, names: Readonly<Record<string, 'added' | 'updated' | 'removed'>>): Promise<void> {
  const lines = dialog.getByTestId('rollback-name')
  await expect(lines).toHaveCount(Object.keys(names).length)
  for (const [name, does] of Object.entries(names)) {
    await expect(dialog.locator(`[data-testid="rollback-name"][data-name="${name}"]`)).toHaveAttribute('data-does', does)
  }
}
