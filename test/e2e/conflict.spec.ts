import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { AppUnderTest } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { lockAndUnlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { photograph } from './steps/photograph.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, expectValue } from './steps/variables.ts'
import { changeBoth, shareGreeting, shareRows } from './steps/two-people.ts'
import { deleteParent } from './steps/workspaces.ts'

/** Who changed it, by name, and a time as people say it. */
const whoAndWhen = /\S+@\S+ (changed this )?(just now|\d+ (second|minute)s? ago)/

/** Two Holdfasts change the same variable while the service is away; `theirs` reaches it first. Gives the review that `mine` then opens. */
async function meetInConflict(
  { mine, theirs }: Record<'mine' | 'theirs', AppUnderTest>,
  service: ServiceOnStage,
  onQueue: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Locator> {
  await changeBoth(mine, theirs, service, 'GREETING')
  // The row says it too.
  const chip = mine.page.getByTestId('variable-row').getByRole('button', { name: whoAndWhen })
  await expect(chip).toBeVisible()
  // In a narrow window too it stays within its cell, and leaves the value room.
  await mine.page.setViewportSize({ width: 900, height: 700 })
  const [cell, inCell] = [await mine.page.getByTestId('value-cell').boundingBox(), await chip.boundingBox()]
  if (cell === null || inCell === null) throw new Error('The row of the conflict is not on the screen.')
  expect(inCell.x + inCell.width).toBeLessThanOrEqual(cell.x + cell.width)
  expect(inCell.x - cell.x).toBeGreaterThan(cell.width / 4)
  await mine.page.setViewportSize({ width: 1280, height: 800 })
  await openQueue(mine.page)
  await onQueue(mine.page)
  const line = mine.page.getByTestId('queue-row')
  await expect(line).toHaveAttribute('data-state', 'conflict')
  await expect(line).toContainText(whoAndWhen)
  // The change that is marked has the keyboard: Enter opens it, as the hint beside it says, and pauses nothing.
  await mine.page.keyboard.press('Enter')
  const review = mine.page.getByTestId('conflict-review')
  await expect(review).toContainText(whoAndWhen)
  const sides = review.getByRole('region', { name: 'Value' })
  await expect(sides).toContainText('was this')
  await expect(sides).toContainText('made this of it')
  await expect(sides).toContainText('made that of it')
  return review
}

const ways = [
  { choice: 'Keep mine', key: 'm', outcome: 'made this of it' },
  { choice: 'Take theirs', key: 't', outcome: 'made that of it' },
]

for (const { choice, key, outcome } of ways) {
  test(`a conflict shows what it was, mine and theirs; "${choice}" settles it on both sides`, async ({ startApp, service }) => {
    const both = await shareGreeting(startApp, service)
    const { mine, theirs } = both
    const isLookedAt = choice === 'Keep mine'
    const review = await meetInConflict(both, service, async (page) => isLookedAt && look(page, 'queue with a conflict'))
    if (isLookedAt) await look(mine.page, 'conflict review')
    // By the key that the list has for it, which the button says.
    await expect(async () => {
      // From elsewhere: over what was drawn anew beneath it, a pointer says nothing.
      await mine.page.mouse.move(0, 0)
      await review.getByRole('button', { name: choice }).hover({ timeout: 5000 })
      await expect(mine.page.locator('.tip')).toContainText(key.toUpperCase(), { timeout: 2000 })
    }).toPass({ timeout: 60_000 })
    await mine.page.keyboard.press(key)
    await expect(review).toBeHidden()
    await expectSync(mine.page, 'synced')
    await expectValue(mine.page, 'GREETING', outcome)
    await syncNow(theirs.page)
    await expectValue(theirs.page, 'GREETING', outcome)
  })
}

test('a conflict can be settled by typing a third value', async ({ startApp, service }) => {
  const both = await shareGreeting(startApp, service)
  const { mine, theirs } = both
  const review = await meetInConflict(both, service)
  await review.getByRole('button', { name: 'Edit' }).press('Enter')
  // The field has the keyboard, and what it holds is selected.
  await expect(review.getByLabel('New value')).toBeFocused()
  await mine.page.keyboard.type('agreed on')
  // From a button too, Escape ends the typing alone, and what was typed can be restored.
  await review.getByRole('button', { name: 'Back' }).focus()
  await mine.page.keyboard.press('Escape')
  await mine.page.getByRole('button', { name: 'Restore' }).click()
  await expect(review.getByLabel('New value')).toHaveValue('agreed on')
  // It outlives a lock, too.
  await lockAndUnlock(mine.page)
  await expect(review.getByLabel('New value')).toHaveValue('agreed on')
  await review.getByLabel('New value').focus()
  await mine.page.keyboard.press('End')
  await mine.page.keyboard.type(' this')
  await mine.page.keyboard.press('Enter')
  await expect(review).toBeHidden()
  await expectSync(mine.page, 'synced')
  await expectValue(mine.page, 'GREETING', 'agreed on this')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'GREETING', 'agreed on this')
  await mine.page.reload()
  await expectValue(mine.page, 'GREETING', 'agreed on this')
  await expect(review).toHaveCount(0)
})

test('what is typed into a conflict stays when the open environment is deleted under it', async ({ startApp, service }) => {
  const projects = { Fernweh: { Production: { GREETING: 'was this' }, Staging: { C_PATH: 'three' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 5 } })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  for (const { page } of [mine, theirs]) await page.getByRole('treeitem', { name: /^Production/ }).click()
  await changeBoth(mine, theirs, service, 'GREETING')
  const { page } = mine
  await page.getByRole('treeitem', { name: /^Staging/ }).click()
  await openQueue(page)
  await page.keyboard.press('Enter')
  const review = page.getByTestId('conflict-review')
  await review.getByRole('button', { name: 'Edit' }).press('Enter')
  await expect(review.getByLabel('New value')).toBeFocused()
  await page.keyboard.type('agreed')
  await deleteParent(theirs.page, /^Staging/)
  await expect(page.getByTestId('place-deleted')).toBeVisible()
  await expect(review.getByLabel('New value')).toBeFocused()
  await page.keyboard.type(' on')
  await page.keyboard.press('Enter')
  await expectSync(page, 'synced')
  await page.getByRole('treeitem', { name: /^Production/ }).click()
  await expectValue(page, 'GREETING', 'agreed on')
})

test('a dialog that is closed reads nothing any more, and the list is open again at its change', async ({ startApp, service }) => {
  const { mine, theirs } = await shareRows(startApp, service, ['A_HOST', 'B_PORT'])
  await changeBoth(mine, theirs, service, 'A_HOST', 'B_PORT')
  const { page } = mine
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  await openQueue(page)
  const row = page.getByTestId('queue-row').nth(1)
  await expect(row).toContainText('B_PORT')
  await row.click()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('conflict-review')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('conflict-review')).toBeHidden()
  await expect(page.getByRole('grid', { name: 'Unsent changes' })).toHaveAttribute('aria-activedescendant', 'queue-row-1')
  expect(warnings).toEqual([])
})

test('a key that is held answers one conflict, and not the next one, which is shown in its place', async ({ startApp, service }) => {
  const names = ['A_HOST', 'B_PORT', 'C_PATH']
  const { mine, theirs } = await shareRows(startApp, service, names)
  await changeBoth(mine, theirs, service, ...names)
  const { page } = mine
  await openQueue(page)
  const conflicts = page.getByTestId('queue-row')
  const glance = page.getByTestId('conflict-glance')
  await expect(conflicts).toHaveCount(3)
  await expect(glance).toHaveAttribute('data-seen', 'true')
  await page.keyboard.down('t')
  await expect(conflicts).toHaveCount(2)
  await expect(glance).toHaveAttribute('data-seen', 'true')
  for (let repeats = 0; repeats < 10; repeats += 1) await page.keyboard.down('t')
  await page.keyboard.up('t')
  await page.keyboard.press('m')
  await expect(conflicts).toHaveCount(1)
  await closeQueue(page)
  await expectValue(page, 'A_HOST', 'made that of it')
  await expectValue(page, 'B_PORT', 'made this of it')
})

test('what others deleted under unsent changes says what is at stake: on its page, in the list and where it is decided', async ({
  startApp,
  service,
  driver,
}) => {
  const { mine, theirs } = await shareGreeting(startApp, service)
  const { page } = mine
  const panel = page.getByTestId('queue-panel')
  await openQueue(page)
  await panel.getByRole('button', { name: 'Pause', exact: true }).click()
  await closeQueue(page)
  await editVariable(page, 'GREETING', 'edited here')
  await addVariable(page, 'ADDED', 'here')
  await deleteParent(theirs.page, /^Production/)
  await expectSync(theirs.page, 'synced')
  await syncNow(page)
  // One change waits for its user, though sync is paused: the others wait for that one.
  await expect(page.getByTestId('sync-pill')).toHaveText('Paused · 1 needs attention')
  await expect(page.getByTestId('deleted-elsewhere')).toContainText('owner@localhost deleted this environment.')
  await openQueue(page)
  const rows = panel.getByTestId('queue-row')
  await expect(rows.first()).toContainText('deleted by owner@localhost')
  await expect(rows.nth(1)).toContainText('Value')
  for (const at of [1, 2]) await expect(rows.nth(at)).toContainText('Waiting for the environment Production')
  await expect(panel.getByTestId('conflict-glance')).toHaveText('You changed GREETING and added ADDED.')
  await photograph(page, driver, 'conflict-deleted-environment-list')

  // From a change that waits, one button leads to the one it waits for.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByTestId('change-dialog').getByRole('button', { name: 'Go to Production' }).click()
  const review = page.getByTestId('conflict-review')
  await expect(review).toContainText('You changed GREETING and added ADDED.')
  await expect(review.getByTestId('unsent-below')).toHaveCount(2)
  await expect(review).toContainText('edited here')
  await photograph(page, driver, 'conflict-deleted-environment')

  await page.keyboard.press('t')
  await expect(page.getByText('Deleted Production in Fernweh', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Value history' }).click()
  await expect(page.getByRole('dialog').getByText('GREETING')).toBeVisible()
})
