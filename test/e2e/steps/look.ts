import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expectZoomable } from './expect-zoomable.ts'
import { untilStill } from './until-still.ts'

const shots = path.resolve(import.meta.dirname, '../../../test-results/screens/accessibility')
const wide = { width: 1280, height: 800 }
const narrow = { width: 900, height: 600 }

/**
 * Looks at a screen in both themes by axe, then in a small window, twice as large, with high contrast and in the colours of a system that
 * forces its own. Each way leaves its picture.
 */
export async function look(page: Page, screen: string): Promise<void> {
  const picture = (kind: string) => path.join(shots, `${screen.replaceAll(' ', '-')}-${kind}.png`)
  const take = async (kind: string) => {
    await untilStill(page)
    await page.screenshot({ path: picture(kind), animations: 'disabled' })
  }
  const themes = ['light', 'dark'] as const
  await mkdir(shots, { recursive: true })
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page, `${screen} in ${colorScheme}`)
    await take(`wide-${colorScheme}`)
  }
  await page.setViewportSize(narrow)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await take(`narrow-${colorScheme}`)
  }
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: 'more' })
  await take('contrast')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: null, forcedColors: 'active' })
  await take('forced')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: null, forcedColors: null })
  await expectZoomable(page, screen, picture('zoomed'))
}
