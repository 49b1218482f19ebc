import { access, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { ServiceOnStage } from './service-on-stage.ts'
import { unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, editVariable, expectValue } from './steps/variables.ts'
import { addService, createProject, startLocalWorkspace, switchTo } from './steps/workspaces.ts'

const hostOf = (service: ServiceOnStage) => new URL(service.url).host
const onThisComputer = 'On this computer'

test('workspaces of two services and one of this computer stand side by side, and the last place opens again', async ({
  app,
  stage,
  service,
  folder,
}) => {
  const other = new ServiceOnStage(stage, path.join(folder, 'other-service'))
  await other.start()
  try {
    const { page } = app
    await startLocalWorkspace(page)
    await createProject(page, 'Garden', 'Home')
    await addVariable(page, 'WHERE', 'in the garden')
    const keys = [await addService(page, service)]
    await createProject(page, 'Fernweh', 'Production')
    await addVariable(page, 'WHERE', 'far away')
    keys.push(await addService(page, other))
    await createProject(page, 'Heimweh', 'Production')
    await addVariable(page, 'WHERE', 'back again')
    await expectSync(page, 'synced')

    // Each has its own file and its own key.
    expect(new Set(keys).size).toBe(2)
    const ids = await readdir(path.join(app.dataDir, 'workspaces'))
    expect(ids).toHaveLength(3)
    for (const id of ids) await access(path.join(app.dataDir, 'workspaces', id, 'mirror.sqlite'))
    await page.getByRole('button', { name: /^Workspace / }).click()
    await expect(page.getByRole('menuitem').filter({ hasText: onThisComputer })).toBeVisible()
    await look(page, 'menu of several workspaces')
    await page.keyboard.press('Escape')

    // One whose service is away holds up no other.
    await service.stop()
    await switchTo(page, hostOf(service))
    await editVariable(page, 'WHERE', 'further away')
    await expectSync(page, 'offline')
    await switchTo(page, hostOf(other))
    await expectValue(page, 'WHERE', 'back again')
    await editVariable(page, 'WHERE', 'back for good')
    await expectSync(page, 'synced')

    // Names of all are found, and lead there.
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: /^Find a command/ }).fill('garden')
    await expect(page.getByRole('option', { selected: true })).toHaveAttribute('data-name', 'Garden')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Garden.*Home/)
    await expectValue(page, 'WHERE', 'in the garden')

    await switchTo(page, hostOf(service))
    await expectValue(page, 'WHERE', 'further away')
    await app.restart()
    await unlock(app.page)
    await expect(app.page.getByRole('heading', { level: 1 })).toHaveText(/Fernweh.*Production/)
    await expectValue(app.page, 'WHERE', 'further away')
    await switchTo(app.page, onThisComputer)
    await expectValue(app.page, 'WHERE', 'in the garden')
    await app.restart()
    await unlock(app.page)
    await expect(app.page.getByRole('heading', { level: 1 })).toHaveText(/Garden.*Home/)
  } finally {
    await other.stop()
  }
})

/** Removes the workspace on screen. */
const removeWorkspace = async (page: Page) => {
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Remove workspace…' }).click()
  const field = page.getByLabel('Type the workspace name to confirm')
  await field.fill((await field.getAttribute('placeholder')) ?? '')
  await page.getByRole('button', { name: 'Remove workspace' }).click()
}

test('a workspace that another tab removes gives way to no other one until its user says so', async ({ app, service, driver }) => {
  test.skip(driver !== 'browser', 'Electron has one window.')
  const { page } = app
  await startLocalWorkspace(page)
  await createProject(page, 'Garden', 'Home')
  await addVariable(page, 'WHERE', 'in the garden')
  await addService(page, service)
  await createProject(page, 'Fernweh', 'Production')
  await addVariable(page, 'WHERE', 'far away')
  await expectSync(page, 'synced')

  const other = await page.context().newPage()
  const secret = await page.evaluate(() => sessionStorage.getItem('holdfast.secret') ?? '')
  await other.addInitScript((text) => sessionStorage.setItem('holdfast.secret', text), secret)
  await other.goto(page.url())
  await switchTo(other, hostOf(service))
  await removeWorkspace(other)
  // Who removed it sees the next one at once.
  await expect(other.getByRole('heading', { level: 1 })).toContainText('Home')

  const removed = page.getByTestId('workspace-removed')
  await expect(removed).toBeFocused()
  for (const key of ['Delete', 'n', 'Enter']) await page.keyboard.press(key)
  await expect(removed).toBeFocused()
  await look(page, 'a workspace that another tab removed')
  await removed.getByRole('button', { name: /^Open / }).click()
  await expectValue(page, 'WHERE', 'in the garden')

  // The last one gives way to nothing: Enter makes no workspace unasked.
  await removeWorkspace(other)
  await expect(other.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  await expect(removed).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(removed).toBeFocused()
  await look(page, 'the last workspace, which another tab removed')
  await removed.getByRole('button', { name: 'Add workspace…' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
})
