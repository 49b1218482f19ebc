import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expectZoomable } from './expect-zoomable.ts'

const shots = path.resolve(import.meta.dirname, '../../../test-results/screens/accessibility')

/** Looks at a screen in both themes by axe, then twice as large, then with high contrast and in the colours of a system that forces its own. */
export async function look(page: Page, screen: string): Promise<void> {
  const picture = (kind: string) => path.join(shots, `${screen.replaceAll(' ', '-')}-${kind}.png`)
  await mkdir(shots, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page, `${screen} in ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: 'more' })
  await page.screenshot({ path: picture('contrast'), animations: 'disabled' })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: null, forcedColors: 'active' })
  await page.screenshot({ path: picture('forced'), animations: 'disabled' })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: null, forcedColors: null })
  await expectZoomable(page, screen, picture('zoomed'))
}
