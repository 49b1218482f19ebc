import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** Presses `key` until `target` has the focus, as somebody does who has no mouse. Fails when a hundred presses do not lead there. */
export async function walkTo(page: Page, key: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 100; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused({ timeout: 1000 })
}
