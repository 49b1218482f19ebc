import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { startHostProcess } from '../../e2e/drivers/start-in-browser.ts'
import { chooseVault } from '../../e2e/steps/keys.ts'
import { findBrowser } from '../../support/find-browser.ts'
import { NotMeasuredError } from './row.ts'

/** Where the built page is. */
export const assets = path.resolve(import.meta.dirname, '../../../out/renderer')

const count = 2000

/** The names in the environment Large, in their order. */
export const largeNames = Array.from({ length: count }, (_, n) => `SETTING_${String(n).padStart(4, '0')}`)

/** Values of the environment Large, as `largeNames`. */
export const largeValues = largeNames.map((_, n) => `https://service-${n}.example/${n % 7}`)

/** The built page (`npm run build` first) in a browser, over a local workspace with an environment of 2,000 variables, Large, and one of one, Small. */
export async function withLargeEnvironment<T>(measure: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  if (!existsSync(assets)) throw new NotMeasuredError('run `npm run build` first: it is the built page that is measured.')
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-bench-'))
  const host = await startHostProcess({ dataDir: folder, keychain: 'none', keepsSize: false })
  const { executable, env } = await findBrowser()
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const where = executable === null ? { channel: 'chrome' } : { executablePath: executable }
  const browser = await chromium.launch({ ...where, env: { ...Object.fromEntries(inherited), ...env } })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(host.url)
    await fill(page)
    return await measure(page, browser)
  } finally {
    await browser.close()
    await host.end('SIGTERM')
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
