import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { untilStill } from './until-still.ts'

/**
 * Fails with the rule and the elements when axe finds anything on the screen as it is. Legacy mode: the other one opens a page of
 * its own, which an application's window does not have.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  await untilStill(page)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map((node) => `${node.target.join(' ')}: ${node.html.slice(0, 160)}`),
  }))
  expect.soft(found, `what axe finds on ${screen}`).toEqual([])
}
