import axe from 'axe-core'
import { expect, type Page } from '@playwright/test'
import { runsAll } from '../runs-all.ts'
import { untilStill } from './until-still.ts'

/** What another theme can change: colours, and nothing else. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Fails with the rule and the elements when axe finds anything on the screen as it is. `rules`: only these. A window of Electron shows the page that the
 * browser shows: axe looks at it there too only where all is run.
 */
export async function expectAccessible(page: Page, screen: string, rules?: string[]): Promise<void> {
  await untilStill(page)
  const isElectron = page.context().browser() === null
  if (isElectron && !runsAll) return
  // Once per document: axe is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'], ...(runOnly === undefined ? {} : { runOnly }) }),
    rules,
  )
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map((node) => `${node.target.join(' ')}: ${node.html.slice(0, 160)}`),
  }))
  expect.soft(found, `what axe finds on ${screen}`).toEqual([])
}

/** The same in light and in dark; the second time it looks at colours alone. */
export async function expectAccessibleInBothThemes(page: Page, screen: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page, `${screen} in light`)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectAccessible(page, `${screen} in dark`, rulesOfColour)
}
