import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { chooseVault } from '../../e2e/steps/keys.ts'
import { withBuiltPage } from './built-page.ts'

const count = 2000

/** The names in the environment Large, in their order. */
export const largeNames = Array.from({ length: count }, (_, n) => `SETTING_${String(n).padStart(4, '0')}`)

/** Values of the environment Large, as `largeNames`. */
export const largeValues = largeNames.map((_, n) => `https://service-${n}.example/${n % 7}`)

/** The built page in a browser, over a local workspace with an environment of 2,000 variables, Large, and one of one, Small. */
export async function withLargeEnvironment<T>(measure: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-bench-'))
  try {
    return await withBuiltPage(folder, async (page, browser) => {
      await fill(page)
      return measure(page, browser)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start a local workspace' }).click()
  await chooseVault(page)
  await page.getByLabel('New project name').fill('Bench')
  await page.getByLabel('New project name').press('Enter')
  await createIn(page, 'Small', 'ONLY=1')
  await page.getByTestId('project-item').hover()
  await page.getByRole('button', { name: 'New environment in Bench' }).click()
  await createIn(page, 'Large', largeNames.map((name, n) => `${name}=${largeValues[n]}`).join('\n'))
}

async function createIn(page: Page, environment: string, text: string): Promise<void> {
  await page.getByLabel('New environment name').fill(environment)
  await page.getByLabel('New environment name').press('Enter')
  const region = page.getByRole('region', { name: `Variables of ${environment}` })
  await region.evaluate((element, body) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([body], 'bench.env'))
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, text)
  await page.getByRole('button', { name: /^Import [\d,]+ variables?$/ }).click()
  await page.getByTestId('import-dialog').waitFor({ state: 'detached', timeout: 120_000 })
  await page.locator('[data-testid="sync-pill"][data-state-sync="synced"]').waitFor({ timeout: 120_000 })
}

/** The item of an environment in the sidebar. */
export const environmentItem = (name: string): string => `[data-testid="environment-item"][data-name="${name}"]`

/** The row of a variable in the table. */
export const variableRow = (name: string): string => `[data-testid="variable-row"][data-name="${name}"]`
