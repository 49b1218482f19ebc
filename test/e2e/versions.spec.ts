import { expect, test } from './fixtures.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { look } from './steps/look.ts'
import { photograph } from './steps/photograph.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, deleteVariable, editVariable, expectCount, expectValue, rowOf } from './steps/variables.ts'
import { expectEffect, leaveVersions, openVersions, pickVersion, rollBack, saveVersion, versionItem, versionRow } from './steps/versions.ts'

test('a version is saved, compared with what came after it, and rolled back to from the queue', async ({ startApp, service, driver }) => {
  const { page } = await startApp('holdfast', {
    workspace: {
      service,
      projects: { Fernweh: { Production: { GREETING: 'hello', REGION: 'eu-central-1', API_TOKEN: 'token-of-then' } } },
    },
  })
  await expectSync(page, 'synced')

  await openVersions(page)
  await expect(page.getByText('No versions of Production yet')).toBeVisible()
  await photograph(page, driver, '10-versions-empty')
  await saveVersion(page, '', 'Before the release')
  await expect(versionItem(page, 'v1')).toBeVisible()
  await expect(versionItem(page, 'v1')).toContainText('Before the release')
  await pickVersion(page, 'v1')
  await expect(page.getByText('No differences')).toBeVisible()
  await expectAccessible(page, 'a version without differences')
  await leaveVersions(page)

  await editVariable(page, 'GREETING', 'good evening')
  await editVariable(page, 'API_TOKEN', 'token-of-now')
  await deleteVariable(page, 'REGION')
  await addVariable(page, 'ADDED_LATER', 'on second thought')
  await expectSync(page, 'synced')

  await openVersions(page)
  await pickVersion(page, 'v1')
  await expect(versionRow(page, 'GREETING')).toHaveAttribute('data-state', 'updated')
  await expect(versionRow(page, 'API_TOKEN')).toHaveAttribute('data-state', 'updated')
  await expect(versionRow(page, 'REGION')).toHaveAttribute('data-state', 'added')
  await expect(versionRow(page, 'ADDED_LATER')).toHaveAttribute('data-state', 'removed')
  await expect(page.getByRole('columnheader', { name: 'In “v1”' })).toBeVisible()
  await expect(page.getByTestId('version-pane')).toContainText('Rolling back adds 1, changes 2, and deletes 1.')
  await expect(versionItem(page, 'v1')).toContainText('3 variables')

  // A plain value is shown at once, a secret when it is asked for, then and now together.
  await expect(versionRow(page, 'GREETING').getByTestId('version-saved')).toHaveText('hello')
  await expect(versionRow(page, 'GREETING').getByTestId('version-now')).toHaveText('good evening')
  await expect(page.getByTestId('version-pane')).not.toContainText('token-of-')
  // Space reveals in the variables, not in the list, and the line at the foot says so.
  const foot = page.locator('main footer')
  await expect(foot).toContainText('open')
  await expect(foot).not.toContainText('reveal')
  await versionRow(page, 'API_TOKEN').getByRole('rowheader').click()
  await expect(foot).toContainText('reveal')
  await expect(foot).toContainText('to the list')
  await page.keyboard.press('Space')
  await expect(versionRow(page, 'API_TOKEN').getByTestId('version-saved')).toHaveText('token-of-then')
  await expect(versionRow(page, 'API_TOKEN').getByTestId('version-now')).toHaveText('token-of-now')
  await photograph(page, driver, '11-versions')
  await look(page, 'version with differences')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('version-list')).toBeFocused()
  await expect(page.getByTestId('version-pane')).not.toContainText('token-of-')

  // Offline: an edit first, then the rollback behind it.
  await service.stop()
  await leaveVersions(page)
  await addVariable(page, 'ON_A_TRAIN', 'typed offline')
  await expectSync(page, /offline|queued/)
  await openVersions(page)
  await pickVersion(page, 'v1')
  await page.keyboard.press('r')
  const dialog = page.getByTestId('rollback-dialog')
  // One word for one count, in the list of differences and in what is confirmed.
  await expect(dialog.getByTestId('rollback-counts')).toContainText('1 added')
  const effect = { GREETING: 'updated', API_TOKEN: 'updated', REGION: 'added', ADDED_LATER: 'removed', ON_A_TRAIN: 'removed' } as const
  await expectEffect(dialog, effect)
  await expect(dialog).toContainText('It runs when you’re back online')
  await expect(dialog).toContainText('after the change queued before it')
  await expect(dialog).toContainText('If someone changes Production meanwhile')
  await photograph(page, driver, '12-rollback')
  await look(page, 'preview of a rollback')
  await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('queued-rollback')).toContainText('Rollback to v1')
  await openQueue(page)
  await expect(page.getByTestId('queue-row')).toHaveCount(2)
  await photograph(page, driver, '13-queue-with-rollback')
  await closeQueue(page)
  await saveVersion(page, 'after the rollback', '')
  await expect(versionItem(page, 'after the rollback')).toHaveAttribute('data-sync', 'queued')
  await photograph(page, driver, '14-versions-queued')

  await service.start()
  await syncNow(page)
  await expectSync(page, 'synced')
  await expect(page.getByTestId('queued-rollback')).toHaveCount(0)
  await expect(versionItem(page, 'after the rollback')).toHaveAttribute('data-sync', 'synced')
  await pickVersion(page, 'v1')
  await expect(page.getByText('No differences')).toBeVisible()
  // What was there is a version itself.
  await pickVersion(page, 'v2')
  await expect(versionRow(page, 'ON_A_TRAIN')).toHaveAttribute('data-state', 'added')
  await leaveVersions(page)
  await expectCount(page, 3)
  await expectValue(page, 'GREETING', 'hello')
  await expectValue(page, 'REGION', 'eu-central-1')
  await expectValue(page, 'API_TOKEN', 'token-of-then')
  expect((await service.ask('GET', '/projects/fernweh/environments/production/variables/ON_A_TRAIN')).status).toBe(404)
})

test('a rollback that waited while a colleague changed the environment asks again, with a new preview', async ({
  startApp,
  service,
  driver,
}) => {
  const mine = await startApp('mine', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  const { page } = mine
  await openVersions(page)
  await saveVersion(page, '', '')
  await expect(versionItem(page, 'v1')).toBeVisible()
  await leaveVersions(page)
  await editVariable(page, 'GREETING', 'good evening')
  await expectSync(page, 'synced')
  await openVersions(page)
  await pickVersion(page, 'v1')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  await expectValue(theirs.page, 'GREETING', 'good evening')

  await service.stop()
  await addVariable(theirs.page, 'FROM_A_COLLEAGUE', 'first come')
  await rollBack(page, { GREETING: 'updated' })
  await expectSync(page, /offline|queued/)
  await mine.quit()
  await service.start()
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')

  await mine.start()
  const again = mine.page
  await again.getByLabel('Passphrase').fill('seven quiet herons at low tide')
  await again.getByRole('button', { name: 'Unlock' }).click()
  await expectSync(again, 'attention')
  await expect(rowOf(again, 'FROM_A_COLLEAGUE')).toBeVisible()
  await expectValue(again, 'GREETING', 'good evening')
  await openQueue(again)
  // The panel has the keyboard until its changes have been read.
  await expect(again.getByRole('grid', { name: 'Unsent changes' })).toBeFocused()
  await again.keyboard.press('ArrowDown')
  await again.keyboard.press('Enter')
  const review = again.getByTestId('rollback-review')
  await expect(review).toContainText('You approved: 1 changed')
  await expectEffect(review, { GREETING: 'updated', FROM_A_COLLEAGUE: 'removed' })
  await photograph(again, driver, '15-rollback-stale')
  await review.getByRole('button', { name: 'Roll back anyway' }).click()
  await expect(review).toBeHidden()
  await expectSync(again, 'synced')
  await expectCount(again, 1)
  await expectValue(again, 'GREETING', 'hello')
  await syncNow(theirs.page)
  await expectCount(theirs.page, 1)
})
