import { expect, type Page } from '@playwright/test'
import { runsAll } from '../runs-all.ts'
import { expectAccessibleInBothThemes } from './expect-accessible.ts'
import { keepPicture } from './keep-picture.ts'
import { untilStill } from './until-still.ts'
import { narrow, usual, wide } from './window-sizes.ts'

/**
 * Checks a screen in both themes by axe, and that nothing runs out of the window sideways in either size. Where all is run, it leaves a
 * picture of each.
 */
export async function photograph(page: Page, driver: string, screen: string): Promise<void> {
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size)
    // What measures itself follows the window a frame or more later.
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await expect.poll(tooWide, `${screen} at ${size.width}`).toBeLessThanOrEqual(0)
    if (!runsAll) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await untilStill(page)
      await keepPicture(page, driver, `${screen}-${size.width}x${size.height}-${colorScheme}`)
    }
  }
  await page.setViewportSize(usual)
  await expectAccessibleInBothThemes(page, screen)
}
