import type { Page } from '@playwright/test'

/**
 * Waits until the application has drawn its first screen: what is run in a page before that may run in the empty one that
 * every window begins with, and end with it.
 */
export async function untilDrawn(page: Page): Promise<void> {
  await page.waitForLoadState('load', { timeout: 120_000 })
  await page.getByRole('button').first().waitFor({ timeout: 120_000 })
}
