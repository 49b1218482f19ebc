import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { setCode } from './steps/code.ts'
import { unlock } from './steps/keys.ts'
import { photograph } from './steps/photograph.ts'
import { closeQueue, expectSync, openQueue } from './steps/sync.ts'
import { addVariable, clearFilter, editVariable } from './steps/variables.ts'
import { connectWithNewKey, createProject } from './steps/workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('the main screens, in light and dark, wide and narrow', { tag: '@long' }, async ({ app, service, driver }) => {
  const { page } = app
  await expect(page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  await photograph(page, driver, '1-start')

  await connectWithNewKey(page, service)
  await photograph(page, driver, '2-empty-workspace')
  await createProject(page, 'Fernweh', 'Production')
  await photograph(page, driver, '3-empty-environment')

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), await readFile(path.join(root, 'resources/sample.env'), 'utf8'))
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByTestId('import-line').first()).toBeVisible()
  await photograph(page, driver, '4-import')
  await dialog.getByRole('button', { name: /^Import \d+ variables$/ }).click()
  await expect(page.getByTestId('variable-row').first()).toBeVisible()
  await expectSync(page, 'synced')
  await photograph(page, driver, '5-variables')

  await service.stop()
  await editVariable(page, 'LOG_LEVEL', 'debug')
  await addVariable(page, 'NEW_OFFLINE', 'typed on a train')
  await clearFilter(page)
  await expectSync(page, /offline|queued/)
  await openQueue(page)
  await photograph(page, driver, '6-queue')
  await closeQueue(page)

  await app.restart()
  await expect(app.page.getByRole('heading', { name: 'Unlock Holdfast' })).toBeVisible()
  await photograph(app.page, driver, '7-unlock')
  await unlock(app.page)
})

test('the picture in the README', { tag: '@long' }, async ({ app, driver }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await page.getByTestId('environment-item').last().click()
  await expect(page.getByTestId('variable-row').nth(5)).toBeVisible()
  await expectSync(page, 'synced')
  await page.mouse.move(0, 0)
  const file = process.env['HOLDFAST_SCREENS'] && driver === 'browser' ? 'docs/screenshot.png' : `test-results/screens/${driver}-readme.png`
  await mkdir(path.dirname(path.join(root, file)), { recursive: true })
  await page.screenshot({ path: path.join(root, file) })
})
