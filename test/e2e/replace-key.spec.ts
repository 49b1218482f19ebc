import type { Page } from '@playwright/test'
import { expect, test, type AppUnderTest, type StartApp } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { unlock } from './steps/keys.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, expectValue } from './steps/variables.ts'
import { createProject } from './steps/workspaces.ts'

/** Replaces the workspace key in the settings. */
async function replaceKey(page: Page, key: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,')
  const dialog = page.getByTestId('settings-dialog')
  await dialog.getByRole('tab', { name: 'Keys' }).click()
  await dialog.getByRole('button', { name: 'Replace workspace key…' }).click()
  await dialog.getByLabel('Workspace key of your team').fill(key)
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(page.getByText(/^Replaced the workspace key of /)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/**
 * Two people with one workspace key, who both see GREETING in Fernweh / Production, and the key that a third one's computer made of its own while
 * the workspace had no values. Blog / Staging has two values of that key.
 */
async function shareTwoKeys(
  startApp: StartApp,
  service: ServiceOnStage,
): Promise<Record<'mine' | 'theirs', AppUnderTest> & { key: string }> {
  const [mine, third] = [await startApp('mine', { workspace: { service } }), await startApp('third', { workspace: { service } })]
  await createProject(mine.page, 'Fernweh', 'Production')
  await addVariable(mine.page, 'GREETING', 'was this')
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  await expectValue(theirs.page, 'GREETING', 'was this')
  await createProject(third.page, 'Blog', 'Staging')
  await addVariable(third.page, 'TITLE', 'news')
  await addVariable(third.page, 'AUTHOR', 'Ada')
  // It can't read GREETING.
  await expectSync(third.page, 'attention')
  await third.quit()
  return { mine, theirs, key: third.workspaceKey }
}

test('who comes back after the others replaced the workspace key takes it too, and loses neither an edit nor a conflict', async ({
  startApp,
  service,
}) => {
  const { mine, theirs, key } = await shareTwoKeys(startApp, service)
  await service.stop()
  await editVariable(theirs.page, 'GREETING', 'made this of it')
  await addVariable(theirs.page, 'UNSENT', 'typed offline')
  await theirs.quit()
  await editVariable(mine.page, 'GREETING', 'made that of it')
  await service.start()
  await syncNow(mine.page)
  await expect(mine.page.getByTestId('sync-pill')).toHaveText('2 Unverified')
  await replaceKey(mine.page, key)
  await expectSync(mine.page, 'synced')

  await theirs.start()
  await unlock(theirs.page)
  await expect(theirs.page.getByTestId('sync-pill')).toHaveText('3 need attention')
  await openQueue(theirs.page)
  await expect(theirs.page.getByTestId('unverified-notice')).toBeVisible()
  await closeQueue(theirs.page)
  await replaceKey(theirs.page, key)
  await openQueue(theirs.page)
  await expect(theirs.page.getByTestId('queue-row')).toHaveAttribute('data-state', 'conflict')
  await theirs.page.keyboard.press('Enter')
  const review = theirs.page.getByTestId('conflict-review')
  for (const side of ['was this', 'made this of it', 'made that of it']) await expect(review).toContainText(side)
  await theirs.page.keyboard.press('m')
  await expect(review).toBeHidden()
  await expectSync(theirs.page, 'synced')
  await syncNow(mine.page)
  await expectSync(mine.page, 'synced')
  for (const { page } of [mine, theirs]) {
    await page.getByRole('treeitem', { name: /^Production/ }).click()
    await expectValue(page, 'GREETING', 'made this of it')
    await expectValue(page, 'UNSENT', 'typed offline')
    await page.getByRole('treeitem', { name: /^Staging/ }).click()
    await expectValue(page, 'TITLE', 'news')
    await expectValue(page, 'AUTHOR', 'Ada')
  }
})
