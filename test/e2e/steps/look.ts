import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { runsAll } from '../runs-all.ts'
import { expectAccessibleInBothThemes } from './expect-accessible.ts'
import { expectZoomable } from './expect-zoomable.ts'
import { untilStill } from './until-still.ts'
import { narrow, usual, wide } from './window-sizes.ts'

const shots = path.resolve(import.meta.dirname, '../../../test-results/screens/accessibility')

/**
 * Looks at a screen in both themes by axe, and twice as large. Where all is run, it also leaves pictures: of these, of a small window, with
 * high contrast and in the colours of a system that forces its own.
 */
export async function look(page: Page, screen: string): Promise<void> {
  await expectAccessibleInBothThemes(page, screen)
  if (runsAll) await takePictures(page, screen)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectZoomable(page, screen, runsAll ? pictureOf(screen, 'zoomed') : null)
}

const pictureOf = (screen: string, kind: string) => path.join(shots, `${screen.replaceAll(' ', '-')}-${kind}.png`)

async function takePictures(page: Page, screen: string): Promise<void> {
  const take = async (kind: string) => {
    await untilStill(page)
    await page.screenshot({ path: pictureOf(screen, kind), animations: 'disabled' })
  }
  await mkdir(shots, { recursive: true })
  for (const [size, viewport] of Object.entries({ narrow, wide })) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await take(`${size}-${colorScheme}`)
    }
  }
  await page.setViewportSize(usual)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: 'more' })
  await take('contrast')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: null, forcedColors: 'active' })
  await take('forced')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', contrast: null, forcedColors: null })
}
