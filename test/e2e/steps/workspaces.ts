import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { clickTool } from './click-tool.ts'
import { chooseVault, writeDownRecoveryKey } from './keys.ts'
import { expectSync } from './sync.ts'

/** From the first screen of a new Holdfast without a keychain into a new local workspace, with keys in a vault. */
export async function startLocalWorkspace(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start a local workspace' }).click()
  await chooseVault(page)
  await expect(page.getByRole('button', { name: /^Workspace / })).toBeVisible()
}

/** From the first screen of a new Holdfast without a keychain to the form that connects to a service. */
export async function openConnectForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect to a service' }).click()
  await chooseVault(page)
  await expect(page.getByLabel('Service address')).toBeVisible()
}

/** Types an address and an API key and asks the service who it is. */
export async function askService(page: Page, service: { url: string; apiKey: string }): Promise<void> {
  await page.getByLabel('Service address').fill(service.url)
  await page.getByLabel('API key').fill(service.apiKey)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Connects a new Holdfast as the first one of a workspace: makes its key, and gives it. */
export async function connectWithNewKey(page: Page, service: { url: string; apiKey: string }): Promise<string> {
  await openConnectForm(page)
  return beFirst(page, service)
}

/** Connects a Holdfast that has a workspace already to one more, as the first one of it, and gives its key. */
export async function addService(page: Page, service: { url: string; apiKey: string }): Promise<string> {
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Add workspace…' }).click()
  await page.getByRole('button', { name: 'Connect to a service' }).click()
  return beFirst(page, service)
}

/** Opens another workspace, that of a service or the one on this computer. */
export async function switchTo(page: Page, where: string): Promise<void> {
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem').filter({ hasText: where }).click()
  await expect(page.getByRole('button', { name: /^Workspace / })).toContainText(where)
}

async function beFirst(page: Page, service: { url: string; apiKey: string }): Promise<string> {
  await askService(page, service)
  await page.getByRole('radio', { name: 'Create a new key' }).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  const key = await writeDownRecoveryKey(page)
  await expect(page.getByTestId('sync-pill')).toBeVisible()
  return key
}

/** Connects one more Holdfast to a workspace whose key is known. */
export async function connectWithKey(page: Page, service: { url: string; apiKey: string }, workspaceKey: string): Promise<void> {
  await openConnectForm(page)
  await askService(page, service)
  // Where there are values already, the workspace has a key, and nothing is left to choose.
  const own = page.getByRole('radio', { name: 'I have the workspace key' })
  const field = page.getByRole('textbox', { name: 'Workspace key' })
  await expect(own.or(field).first()).toBeVisible()
  if (await own.isVisible()) await own.check()
  await field.fill(workspaceKey)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByTestId('sync-pill')).toBeVisible()
}

/** Makes a project with one environment, and opens it. */
export async function createProject(page: Page, project: string, environment: string): Promise<void> {
  await page.getByRole('complementary').getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('New project name').fill(project)
  await page.getByLabel('New project name').press('Enter')
  await nameEnvironment(page, environment)
}

async function nameEnvironment(page: Page, environment: string): Promise<void> {
  const field = page.getByLabel('New environment name')
  await field.fill(environment)
  await field.press('Enter')
  await expect(field).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(environment)
}

/** Adds an environment to a project, and opens it. */
export async function createEnvironment(page: Page, project: string, environment: string): Promise<void> {
  const item = page.locator(`[data-testid="project-item"][data-name="${project}"]`)
  await clickTool(item, `New environment in ${project}`)
  await nameEnvironment(page, environment)
}

/** Deletes a project or environment from the sidebar, and waits until the service has it. */
export async function deleteParent(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('treeitem', { name }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByRole('treeitem', { name })).toBeHidden()
  await expectSync(page, 'synced')
}
