import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { expectSync, syncNow } from './steps/sync.ts'
import { addVariable, deleteVariable, editVariable, expectCount, expectValue } from './steps/variables.ts'

test('a service that went back to a backup is said once, with what changed, and one button sends it again', async ({
  startApp,
  service,
  folder,
}) => {
  const { page } = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: { GREETING: 'of the backup', BACK: 'deleted later' } } } },
  })
  await expectSync(page, 'synced')
  const backup = path.join(folder, 'backup')
  await service.command('backup', '--to', backup)

  await editVariable(page, 'GREETING', 'of today')
  await addVariable(page, 'ADDED', 'of today')
  await deleteVariable(page, 'BACK')
  await expectSync(page, 'synced')
  await service.stop()
  await service.command('restore', '--from', backup, '--replace')
  await service.start()
  await syncNow(page)

  const notice = page.getByTestId('restart-notice')
  await expect(notice).toContainText('The service was restored from a backup')
  await expect(notice).toContainText('1 changed, 1 deleted, 1 added')
  // A value that was superseded since is not taken from the service unasked.
  await expect(notice).toContainText('1 earlier value is Unverified until you choose.')
  await look(page, 'service that went back')
  // In a narrow window its buttons go below it, instead of squeezing it into a column.
  await page.setViewportSize({ width: 900, height: 600 })
  expect((await notice.locator('p').boundingBox())?.width).toBeGreaterThan(500)
  await page.setViewportSize({ width: 1280, height: 800 })
  await notice.getByRole('button', { name: 'Show changes' }).click()
  const dialog = page.getByTestId('restart-dialog')
  await expect(dialog.getByTestId('restarted-row')).toHaveCount(3)
  await look(page, 'list of what a backup changed')

  await dialog.getByRole('button', { name: 'Send mine again' }).click()
  await expect(notice).toHaveCount(0)
  await expectSync(page, 'synced')
  await expectValue(page, 'GREETING', 'of today')
  await expectValue(page, 'ADDED', 'of today')
  await syncNow(page)
  await expectSync(page, 'synced')
  await expectCount(page, 3)
  await expect(notice).toHaveCount(0)
})
