import { keys } from '../../service/cli/keys.ts'
import { expect, test } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { cellOf, openComparison } from './steps/compare.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { photograph } from './steps/photograph.ts'
import { expectSync, syncNow } from './steps/sync.ts'
import { editVariable, expectCount, expectValue, rowOf } from './steps/variables.ts'

/** A new member with this role: their id and API key. */
async function addMember(service: ServiceOnStage, roleId: string): Promise<{ id: string; apiKey: string }> {
  const email = `${roleId}@example.com`
  const invited = await service.ask('POST', '/members', { email, roleId })
  const printed: object[] = []
  const output = { print: (line: object) => void printed.push(line), printError: () => undefined }
  await keys(['create', '--email', email, '--data', service.dataDir], output)
  const [line] = printed
  return { id: String(invited.body.data['id']), apiKey: line !== undefined && 'apiKey' in line ? String(line.apiKey) : '' }
}

test('a viewer sees that they can only view, no edit begins, and a new role takes effect with the next sync', async ({
  startApp,
  service,
  driver,
}) => {
  const projects = { Fernweh: { Staging: {}, Production: { GREETING: 'hello', LOG_LEVEL: 'info' } } }
  const owner = await startApp('owner', { workspace: { service, projects } })
  await expectSync(owner.page, 'synced')
  await expect(owner.page.getByText('View only')).toHaveCount(0)
  const { id, apiKey } = await addMember(service, 'viewer')
  const { page } = await startApp('viewer', { workspace: { service: { url: service.url, apiKey }, key: owner.workspaceKey } })
  await page.getByTestId('environment-item').filter({ hasText: 'Production' }).click()
  await expectCount(page, 2)
  await expect(page.getByText('View only')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New variable' })).toHaveCount(0)
  await expect(page.getByLabel('New variable name')).toHaveCount(0)
  await photograph(page, driver, '70-view-only')

  const said = page.locator('.toast').filter({ hasText: 'You can only view this workspace.' })
  const grid = page.getByTestId('variables-grid')
  await rowOf(page, 'GREETING').getByText('GREETING', { exact: true }).click()
  await expect(grid).toBeFocused()
  await holdToasts(page)
  for (const key of ['Enter', 'Delete', 'n', 't', 'ControlOrMeta+s']) {
    await page.keyboard.press(key)
    await expect(said).toHaveCount(1)
    await expect(page.getByRole('dialog').or(page.getByTestId('editor'))).toHaveCount(0)
    await said.getByRole('button', { name: 'Dismiss' }).click()
    await grid.focus()
  }
  await rowOf(page, 'GREETING').click({ button: 'right' })
  for (const name of ['Edit value', 'Rename', 'Duplicate', 'Move to…', 'Delete'])
    await expect(page.getByRole('menuitem', { name })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('menuitem', { name: 'Copy value' })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')

  await openComparison(page, 'Fernweh')
  await cellOf(page, 'GREETING', 'Production').click()
  await page.keyboard.press('Enter')
  await expect(said).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await expect(page.getByLabel('Email to invite')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expectSync(page, 'synced')

  expect((await service.ask('PATCH', `/members/${id}`, { roleId: 'editor' })).status).toBe(200)
  await syncNow(page)
  await expect(page.getByText('View only')).toHaveCount(0)
  await page.getByTestId('environment-item').filter({ hasText: 'Production' }).click()
  await editVariable(page, 'GREETING', 'good evening')
  await expectValue(page, 'GREETING', 'good evening')
  await expectSync(page, 'synced')
})
