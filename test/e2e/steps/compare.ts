import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { clickTool } from './click-tool.ts'

/** Opens the comparison of a project's environments from the sidebar. */
export async function openComparison(page: Page, project: string): Promise<void> {
  const item = page.locator(`[data-testid="project-item"][data-name="${project}"]`)
  await clickTool(item, `Compare environments of ${project}`)
  // The table has the keyboard, or the button in it that leads on where there is nothing to compare.
  await expect(page.locator('[data-testid="compare-grid"]:focus, [data-testid="compare-grid"] :focus')).toBeAttached()
}

/** The cell of a variable in an environment, where it is in view. */
export const cellOf = (page: Page, name: string, environment: string): Locator =>
  page.locator(`[data-testid="compare-row"][data-name="${name}"] [data-testid="compare-cell"][data-environment="${environment}"]`)

/** The counts below the name of an environment. */
export const countsOf = (page: Page, environment: string): Locator =>
  page.locator(`[data-testid="compare-column"][data-name="${environment}"]`).getByTestId('compare-counts')
