import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { runsAll } from '../runs-all.ts'

const shots = path.resolve(import.meta.dirname, '../../../test-results/screens')

/** Leaves a picture of the screen as it is, where all is run. */
export async function keepPicture(page: Page, driver: string, name: string): Promise<void> {
  if (!runsAll) return
  await mkdir(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${driver}-${name}.png`), animations: 'disabled' })
}
