import type { Locator } from '@playwright/test'
import { keys } from '../../service/cli/keys.ts'
import { expect, test } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { cellOf, openComparison } from './steps/compare.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { photograph } from './steps/photograph.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, expectCount, expectValue, rowOf } from './steps/variables.ts'
import { saveVersion } from './steps/versions.ts'

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
  // Something to roll back to, and something to restore.
  await expectCount(page, 2)
  await owner.page.getByTestId('environment-item').filter({ hasText: 'Production' }).click()
  await saveVersion(owner.page, 'Before', '')
  await editVariable(owner.page, 'LOG_LEVEL', 'debug')
  await expectSync(owner.page, 'synced')
  await syncNow(page)
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
  // The keyboard reaches what is refused, and its user hears and reads why; Enter says it again.
  const last = page.getByRole('menuitem', { name: 'Delete' })
  await page.keyboard.press('End')
  await expect(last).toBeFocused()
  await expect(last).toHaveAttribute('aria-description', /^You can only view this workspace\./)
  await expect(page.locator('.tip')).toContainText('You can only view this workspace.')
  await photograph(page, driver, '70-view-only-menu')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(said).toHaveCount(1)
  await said.getByRole('button', { name: 'Dismiss' }).click()
  await grid.focus()

  // The buttons of what they may not do look it, say why, and their keys are in no line at the foot and no list.
  const refused = (button: Locator) =>
    expect(button)
      .toHaveAttribute('aria-description', /^You can only view this workspace\./)
      .then(() => expect(button).toBeDisabled())
  const foot = page.locator('main footer')
  await expect(foot).toContainText('reveal')
  await expect(foot).not.toContainText(/edit|delete|new/)
  await rowOf(page, 'GREETING').hover()
  for (const name of ['Edit GREETING', 'Delete GREETING'])
    await expect(rowOf(page, 'GREETING').getByRole('button', { name })).toHaveCount(0)
  await refused(page.getByRole('button', { name: 'New project' }))
  await refused(rowOf(page, 'GREETING').getByRole('button', { name: 'Type of GREETING: string' }))
  await refused(rowOf(page, 'GREETING').getByRole('switch', { name: 'Secret: GREETING' }))
  await expect(page.getByLabel('New environment in Fernweh')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('version')
  const found = page.getByTestId('palette-option')
  await expect(found.filter({ hasText: 'Versions' })).toHaveCount(1)
  await expect(found.filter({ hasText: /Save version|Roll back/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  const save = page.getByRole('button', { name: 'Save version' })
  await refused(save)
  await refused(page.getByTestId('version-pane').getByRole('button', { name: 'Roll back…' }))
  await photograph(page, driver, '71-view-only-versions')
  await save.hover()
  await expect(page.locator('.tip')).toContainText('You can only view this workspace.')
  await save.click({ force: true })
  await expect(said).toHaveCount(1)
  await said.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('listbox', { name: 'Versions' }).press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('value history of the work')
  await page.keyboard.press('Enter')
  await refused(page.getByTestId('history-dialog').getByRole('button', { name: 'Restore LOG_LEVEL' }))
  await photograph(page, driver, '72-view-only-history')
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

test('changes that a lower role had rejected are sent by one click once the role is raised', async ({ startApp, service, driver }) => {
  const owner = await startApp('owner', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await expectSync(owner.page, 'synced')
  const { id, apiKey } = await addMember(service, 'editor')
  const { page } = await startApp('editor', { workspace: { service: { url: service.url, apiKey }, key: owner.workspaceKey } })
  await expectCount(page, 1)
  const panel = page.getByTestId('queue-panel')
  await openQueue(page)
  await panel.getByRole('button', { name: 'Pause' }).click()
  await closeQueue(page)
  await editVariable(page, 'GREETING', 'mine')
  await addVariable(page, 'ADDED', 'x')
  const become = async (roleId: string) => expect((await service.ask('PATCH', `/members/${id}`, { roleId })).status).toBe(200)
  await become('viewer')
  await openQueue(page)
  await panel.getByRole('button', { name: 'Resume' }).click()
  await expectSync(page, 'attention')
  await expect(panel).toContainText('2 changes were rejected by the service.')
  await photograph(page, driver, '73-rejected-by-role')
  await closeQueue(page)

  await holdToasts(page)
  await become('editor')
  await syncNow(page)
  await expect(page.locator('.toast')).toContainText('Your role has changed. 2 changes were rejected before.')
  await page.locator('.toast').getByRole('button', { name: 'Retry' }).click()
  await expectSync(page, 'synced')
})

test('an editor finds what only an admin may do disabled, with the reason, and deletes an environment that was never sent', async ({
  startApp,
  service,
  driver,
}) => {
  const owner = await startApp('owner', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await expectSync(owner.page, 'synced')
  const { apiKey } = await addMember(service, 'editor')
  const { page } = await startApp('editor', { workspace: { service: { url: service.url, apiKey }, key: owner.workspaceKey } })
  const refused = (item: Locator) => expect(item).toHaveAttribute('aria-description', /^Your role in this workspace doesn’t allow this\./)
  await expectCount(page, 1)
  await refused(page.getByRole('button', { name: 'New project' }))
  const production = page.getByRole('treeitem', { name: /^Production/ })
  await production.click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Rename' })).not.toHaveAttribute('aria-disabled', 'true')
  const remove = page.getByRole('menuitem', { name: 'Delete…' })
  await refused(remove)
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await photograph(page, driver, '73-editor-menu')
  await page.keyboard.press('Escape')

  await service.stop()
  await page.getByRole('treeitem', { name: /^Fernweh/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New environment' }).click()
  await page.getByLabel('New environment name').fill('Scratch')
  await page.getByLabel('New environment name').press('Enter')
  // With a variable in it: nobody else can have anything there.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Scratch')
  await addVariable(page, 'DRAFT', 'x')
  const scratch = page.getByRole('treeitem', { name: /^Scratch/ })
  await scratch.focus()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(scratch).toHaveCount(0)

  await page.keyboard.press('m')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await expect(page.getByLabel('Email to invite')).toHaveCount(0)
  await expect(page.locator('main footer')).not.toContainText(/invite|change role|remove/)
  await refused(page.getByRole('button', { name: 'Remove owner@localhost' }))
  // The keyboard reaches a role that it can't change, and the reason.
  const role = page.getByRole('button', { name: 'Role of owner@localhost: Owner' })
  await refused(role)
  await page.getByTestId('members-grid').press('End')
  await page.keyboard.press('Tab')
  await expect(role).toBeFocused()
  await expect(page.locator('.tip')).toContainText('Your role in this workspace doesn’t allow this.')
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast').filter({ hasText: 'Your role in this workspace doesn’t allow this.' })).toHaveCount(1)
  await expect(page.getByRole('menu')).toHaveCount(0)
  await photograph(page, driver, '74-editor-members')
})
