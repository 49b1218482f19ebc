import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'

/**
 * Clicks a button that `item` shows only under the pointer. A pointer that stands still is over something else once the list
 * below it moves, so it is brought back until the click was taken.
 */
export async function clickTool(item: Locator, name: string): Promise<void> {
  await expect(async () => {
    await item.hover({ timeout: 5000 })
    await item.getByRole('button', { name }).click({ timeout: 5000 })
  }).toPass({ timeout: 90_000 })
}
