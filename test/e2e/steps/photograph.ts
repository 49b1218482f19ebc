import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { untilStill } from './until-still.ts'

const shots = path.resolve(import.meta.dirname, '../../../test-results/screens')
const sizes = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
]

/** Takes the screen in both themes and sizes, and checks that nothing runs out of the window sideways and axe finds nothing. */
export async function photograph(page: Page, driver: string, screen: string): Promise<void> {
  await mkdir(shots, { recursive: true })
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const file = path.join(shots, `${driver}-${screen}-${size.width}x${size.height}-${colorScheme}.png`)
      await untilStill(page)
      await page.screenshot({ path: file, animations: 'disabled' })
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
      if (size === sizes[0]) await expectAccessible(page, `${screen} in ${colorScheme}`)
      expect(content, `${screen} at ${size.width} in ${colorScheme}`).toBeLessThanOrEqual(window ?? 0)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
