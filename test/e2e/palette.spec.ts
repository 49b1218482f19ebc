import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openComparison } from './steps/compare.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { keepPicture } from './steps/keep-picture.ts'
import { look } from './steps/look.ts'

/** Opens the palette, types, and waits until the best answer is `best`. */
async function find(page: Page, text: string, best: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /^Find a command/ }).fill(text)
  await expect(page.getByRole('option', { selected: true })).toHaveAttribute('data-name', best)
}

/** Waits until the row of a variable is the active one of the table. */
async function expectStandsOn(page: Page, name: string): Promise<void> {
  await expect(async () => {
    const active = await page.getByTestId('variables-grid').getAttribute('aria-activedescendant')
    const row = page.getByTestId('variable-row').filter({ has: page.locator(`[id="${active}"]`) })
    await expect(row).toHaveAttribute('data-name', name, { timeout: 500 })
  }).toPass({ timeout: 15_000 })
}

test('everything is found by name and opened by keyboard alone', async ({ app, driver }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await expect(page.getByTestId('variables-grid')).toBeVisible()
  const palette = page.getByTestId('palette')

  // A variable of another project: its environment opens, and it has the focus.
  await find(page, 'sentrydsn', 'SENTRY_DSN')
  await expectAccessible(page, 'palette')
  await keepPicture(page, driver, '10-palette-1280x800-light')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText('Web shop / Staging')
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Web shop.*Staging/)
  const grid = page.getByTestId('variables-grid')
  await expect(grid).toBeFocused()
  await expectStandsOn(page, 'SENTRY_DSN')

  // A filter that hides it is taken away.
  await page.getByLabel('Filter variables').fill('PORT')
  await expect(grid).toHaveAttribute('aria-rowcount', /^[2-4]$/)
  await find(page, 'currency', 'CURRENCY')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Filter variables')).toHaveValue('')
  await expectStandsOn(page, 'CURRENCY')

  // An environment, and a command: Enter does not have to wait for the answer.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('reports')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Reports')
  await find(page, 'comp env', 'Compare environments')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('compare-grid')).toBeFocused()

  // What was used last comes first.
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toHaveAttribute('data-name', 'Compare environments')
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await expect(page.getByTestId('compare-grid')).toBeFocused()
})

test('nothing is found by a name that nobody has, and the shortcuts are listed', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await expect(page.getByTestId('variables-grid')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('zzzz')
  await expect(page.getByTestId('palette')).toContainText('No results for “zzzz”')
  await look(page, 'palette without results')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('palette')).toHaveCount(0)
  await page.keyboard.press('?')
  const sheet = page.getByTestId('cheat-sheet')
  await expect(sheet).toContainText('Compare environments')
  await expect(sheet).toContainText('Find or run anything')
  await expect(sheet.getByRole('region', { name: 'Unverified values' })).toBeVisible()
  await expectAccessible(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('two long names that differ in their last letters are told apart', async ({ startApp, driver }) => {
  const same = 'production europe west frankfurt primary cluster for customers who pay by invoice number '
  const ends = ['one', 'two']
  const environments = Object.fromEntries(ends.map((end) => [same + end, { DATABASE_URL: 'postgres://localhost' }]))
  const { page } = await startApp('holdfast', { workspace: { projects: { 'A project of many regions and many customers': environments } } })
  const expectEnds = async (places: Locator) => {
    for (const end of ends) {
      const last = places.getByText(new RegExp(`number ${end}$`)).last()
      await expect(last).toBeVisible()
      expect(await last.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    }
  }
  await expectEnds(page.getByTestId('environment-item'))
  const head = page.getByRole('heading', { level: 1 }).getByText(/number two$/)
  expect(await head.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  for (const text of ['frankfurt', 'DATABASE']) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: /^Find a command/ }).fill(text)
    const options = page.locator(`[data-testid="palette-option"][data-kind="${text === 'DATABASE' ? 'variable' : 'environment'}"]`)
    await expect(options).toHaveCount(2)
    await keepPicture(page, driver, `10-palette-long-${text.toLowerCase()}`)
    await expectEnds(options)
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('palette')).toHaveCount(0)
  }
  await openComparison(page, 'A project of many regions and many customers')
  await expectEnds(page.getByTestId('compare-column'))
})

test('an environment is found by words of its project and its own, the nearest of a name first, and a command before a variable', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: {
      projects: {
        Billing: { Development: { EXPORT_BUCKET: 's3' }, Production: {} },
        Catalogue: { Development: {} },
        Web: { Development: {}, Production: {} },
      },
    },
  })
  const chosen = page.getByRole('option', { selected: true })
  const heading = page.getByRole('heading', { level: 1 })
  for (const text of ['web dev', 'dev web']) {
    await find(page, text, 'Development')
    await expect(chosen).toContainText('Web')
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('palette')).toHaveCount(0)
  }
  await find(page, 'web dev', 'Development')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText(/Web.*Development/)
  await find(page, 'develop', 'Development')
  await expect(chosen).toContainText('Web')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('palette')).toHaveCount(0)
  await find(page, 'export', 'Export or copy as…')
})
