import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** In the dialog of tracked names: tracks `names` in an environment, and waits until the service was asked for each. */
export async function trackNames(page: Page, project: string, environment: string, names: string): Promise<Locator> {
  const dialog = page.getByTestId('tracked-dialog')
  await dialog.getByLabel('Project slug').fill(project)
  await dialog.getByLabel('Environment slug').fill(environment)
  await dialog.getByLabel('Variable names').fill(names)
  await dialog.getByRole('button', { name: 'Track', exact: true }).click()
  await expect(dialog.getByLabel('Variable names')).toHaveValue('')
  await expect(dialog.locator('[data-state="waiting"]')).toHaveCount(0)
  return dialog
}
