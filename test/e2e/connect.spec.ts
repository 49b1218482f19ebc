import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { expectSync } from './steps/sync.ts'
import { editVariable, expectValue } from './steps/variables.ts'
import { askService, connectWithNewKey, openConnectForm } from './steps/workspaces.ts'

test('the first one of a workspace types an address and an API key once, and is warned of nothing', async ({ app, service }) => {
  const { page } = app
  await openConnectForm(page)
  await expect(page.getByText('Ask whoever runs the service. At its first start, it prints a key for the owner.')).toBeVisible()
  // Without http:// or https://: it is completed.
  await page.getByLabel('Service address').fill(new URL(service.url).host)
  await page.getByLabel('API key').fill(service.apiKey)
  // In a low window too, what is found moves nothing that was there.
  await page.setViewportSize({ width: 900, height: 600 })
  const top = () => page.getByRole('heading', { level: 1 }).evaluate((head) => head.getBoundingClientRect().top)
  const before = await top()
  await page.keyboard.press('Enter')
  await expect(page.getByText('It has no values yet.')).toBeVisible()
  expect(await top()).toBe(before)
  await page.setViewportSize({ width: 1280, height: 800 })
  // Whose key it will be is asked before it is made.
  await expect(page.getByRole('radio', { name: 'Create a new key' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Create a new key' })).toBeFocused()
  await expect(page.getByText(/if you’re the first/)).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.keyboard.press('Enter')
  // The keyboard goes along: to the question about the recovery key, then to what an empty workspace offers.
  await expect(page.getByRole('checkbox', { name: 'I’ve written it down' })).toBeFocused()
  // Space ticks and Enter goes on: neither sets what the other takes away.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('checkbox', { name: 'I’ve written it down' })).not.toBeChecked()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expectSync(page, 'synced')
  await expect(page.getByRole('main').getByRole('button', { name: 'New project' })).toBeFocused()
})

test('an empty field is named and gets the keyboard when the form is sent', async ({ app, service }) => {
  const { page } = app
  await openConnectForm(page)
  const [address, apiKey] = [page.getByLabel('Service address'), page.getByLabel('API key')]
  await address.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter the address of the service.')
  await expect(address).toBeFocused()
  await page.keyboard.type(service.url)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter the API key.')
  await expect(apiKey).toBeFocused()
  await page.keyboard.type(service.apiKey)
  await page.keyboard.press('Enter')
  await expect(page.getByText('It has no values yet.')).toBeVisible()
})

test('whoever is not the only member is asked for the key of the team, and a quick Enter makes no second one', async ({ app, service }) => {
  const { page } = app
  expect((await service.ask('POST', '/members', { email: 'colleague@example.com', roleId: 'editor' })).status).toBe(201)
  await openConnectForm(page)
  await askService(page, service)
  await expect(page.getByText('It has no values yet, but it has other members or was used before.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'I have the workspace key' })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Workspace key' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter the workspace key.')
  await expect(page.getByRole('textbox', { name: 'Workspace key' })).toBeFocused()
})

test('a service that has moved is connected to by keyboard, under its new address and in the same workspace', async ({ app, service }) => {
  const { page } = app
  await connectWithNewKey(page, service)
  const moved = { url: service.url.replace('127.0.0.1', 'localhost'), apiKey: service.apiKey }
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Add workspace…' }).click()
  await page.getByRole('button', { name: 'Connect to a service' }).click()
  await askService(page, moved)
  await expect(page.getByText(`It’s already on this computer, with the service at ${service.url}.`)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Workspace key' })).toHaveCount(0)
  const option = page.getByRole('radio', { name: 'The service has moved: use the new address' })
  await expect(option).toBeFocused()
  await look(page, 'connect to a moved service')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Choose whether to move the workspace.')
  await page.keyboard.press('Space')
  await expect(option).toBeChecked()
  await page.keyboard.press('Enter')
  await expectSync(page, 'synced')
  const switcher = page.getByRole('button', { name: /^Workspace / })
  await expect(switcher).toContainText(new URL(moved.url).host)
  await switcher.click()
  await expect(page.getByRole('menuitem').filter({ hasText: new URL(moved.url).host })).toHaveCount(1)
  await expect(page.getByRole('menuitem').filter({ hasText: new URL(service.url).host })).toHaveCount(0)
})

test('connecting again with another API key replaces a revoked one, however the address is spelled, and sends what waits', async ({
  startApp,
  service,
}) => {
  const { page } = await startApp('mine', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'one' } } } } })
  await expectSync(page, 'synced')
  const apiKey = await service.createKey()
  await service.revokeKey()
  await editVariable(page, 'GREETING', 'two')
  await expect(page.getByText('This workspace’s API key no longer works.')).toBeVisible()

  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Add workspace…' }).click()
  await page.getByRole('button', { name: 'Connect to a service' }).click()
  await askService(page, { url: `HTTP://${new URL(service.url).host}/`, apiKey })
  await expect(page.getByText('It’s already on this computer.')).toBeVisible()
  await expect(page.getByLabel('Workspace key')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Replace API key' })).toBeFocused()
  await look(page, 'connect to a known workspace')
  await page.keyboard.press('Enter')
  await expectSync(page, 'synced')
  await expectValue(page, 'GREETING', 'two')
  await page.getByRole('button', { name: /^Workspace / }).click()
  await expect(page.getByRole('menuitem').filter({ hasText: new URL(service.url).host })).toHaveCount(1)
})
