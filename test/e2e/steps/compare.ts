import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { clickTool } from './click-tool.ts'

/** Opens the comparison of a project's environments from the sidebar, and waits until its table has the keyboard. */
export async function openComparison(page: Page, project: string): Promise<void> {
  await askForComparison(page, project)
  await expect(page.getByTestId('compare-grid')).toBeFocused()
}

/** The same of a project with one environment: there is nothing to compare, and the button that leads on has the keyboard. */
export async function openEmptyComparison(page: Page, project: string): Promise<void> {
  await askForComparison(page, project)
  await expect(page.getByTestId('compare-grid').getByRole('button', { name: 'New environment' })).toBeFocused()
}

/** The same, without waiting for the keyboard: an editor that was left open takes it. */
export async function askForComparison(page: Page, project: string): Promise<void> {
  const item = page.locator(`[data-testid="project-item"][data-name="${project}"]`)
  await clickTool(item, `Compare environments of ${project}`)
}

/** The cell of a variable in an environment, where it is in view. */
export const cellOf = (page: Page, name: string, environment: string): Locator =>
  page.locator(`[data-testid="compare-row"][data-name="${name}"] [data-testid="compare-cell"][data-environment="${environment}"]`)

/** The counts below the name of an environment. */
export const countsOf = (page: Page, environment: string): Locator =>
  page.locator(`[data-testid="compare-column"][data-name="${environment}"]`).getByTestId('compare-counts')
