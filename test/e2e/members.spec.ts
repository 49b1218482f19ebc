import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { photograph } from './steps/photograph.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'

const memberRow = (page: Page, email: string): Locator => page.locator(`[data-testid="member-row"][data-email="${email}"]`)

/** Invites by keyboard, from anywhere on the screen of the members. */
async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByTestId('members-grid').press('i')
  await page.getByLabel('Role to invite to').selectOption(role)
  await page.getByLabel('Email to invite').fill(email)
  await page.getByLabel('Email to invite').press('Enter')
  await expect(memberRow(page, email)).toBeVisible()
}

test('members are invited, given another role and removed, online and offline', async ({ startApp, service, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { service } })
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Members and roles' }).click()
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await expect(page.getByTestId('member-row')).toHaveCount(1)

  await invite(page, 'ada@example.com', 'Viewer')
  await expect(memberRow(page, 'ada@example.com')).toHaveAttribute('data-status', 'invited')
  await expectSync(page, 'synced')
  // Who you are among them.
  await expect(memberRow(page, 'owner@localhost').getByText('you', { exact: true })).toBeVisible()
  await expect(memberRow(page, 'ada@example.com').getByText('you', { exact: true })).toHaveCount(0)

  // Twice the same is refused before anything is queued.
  await page.getByLabel('Email to invite').fill('ada@example.com')
  await page.getByLabel('Email to invite').press('Enter')
  await expect(page.getByRole('alert')).toContainText('ada@example.com')
  await page.getByLabel('Email to invite').press('Escape')
  await expect(page.getByTestId('members-grid')).toBeFocused()

  await service.stop()
  await invite(page, 'grace@example.com', 'Editor')
  await expect(memberRow(page, 'grace@example.com')).toHaveAttribute('data-status', 'unsent')
  await invite(page, 'typo@example.con', 'Admin')
  await memberRow(page, 'ada@example.com')
    .getByRole('button', { name: /^Role of ada/ })
    .click()
  await page.getByRole('menuitem', { name: /^Admin/ }).click()
  await expect(memberRow(page, 'ada@example.com')).toContainText('Admin')
  await expect(memberRow(page, 'ada@example.com')).toHaveAttribute('data-sync', 'queued')
  await photograph(page, driver, '16-members')

  // One that was not sent yet is taken back without a question.
  await expect(page.getByText('Inviting typo@example.con. Holdfast doesn’t email them.')).toBeVisible()
  // The keys of the list work wherever in its row somebody clicks.
  await memberRow(page, 'typo@example.con').getByRole('gridcell').first().click()
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(memberRow(page, 'typo@example.con')).toHaveCount(0)
  await openQueue(page)
  await expect(page.getByTestId('queue-row')).toHaveCount(2)
  await photograph(page, driver, '17-queue-with-members')
  await closeQueue(page)

  await service.start()
  await syncNow(page)
  await expectSync(page, 'synced')
  await expect(memberRow(page, 'grace@example.com')).toHaveAttribute('data-status', 'invited')
  const listed = await service.ask('GET', '/members')
  expect(listed.body.data['items']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: 'ada@example.com', roleId: 'admin' }),
      expect.objectContaining({ email: 'grace@example.com', roleId: 'editor' }),
    ]),
  )

  await memberRow(page, 'grace@example.com').getByRole('rowheader').click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog')).toContainText('any copy on their computer')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expectSync(page, 'synced')
  await expect(memberRow(page, 'grace@example.com')).toHaveCount(0)
  expect((await service.ask('GET', '/members')).body.data['items']).toHaveLength(2)

  await page.getByTestId('members-grid').focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Members')
})

/** Makes somebody an active owner of the service's workspace: invited, and with a key of their own. */
async function makeOwner(service: ServiceOnStage, email: string): Promise<string> {
  const invited = await service.ask('POST', '/members', { email, roleId: 'owner' })
  const command = ['service/main.ts', 'keys', 'create', '--email', email, '--data', service.dataDir]
  await promisify(execFile)(path.resolve('node_modules/.bin/node'), command)
  return String(invited.body.data['id'])
}

test('the last owner is not removed and keeps their role, and the screen says why', async ({ startApp, service, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { service } })
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  await page.keyboard.press('m')
  const owner = page.getByTestId('member-row')
  await expect(owner).toHaveCount(1)
  const remove = owner.getByRole('button', { name: /^Remove / })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await remove.hover()
  const why = 'A workspace needs an owner. Make someone else an owner first.'
  await expect(page.locator('.tip')).toContainText(why)
  await photograph(page, driver, '18-members-last-owner')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.locator('.toast').getByText(why)).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  const role = owner.getByRole('button', { name: /^Role of / })
  await expect(role).toHaveAttribute('aria-disabled', 'true')
  await role.click({ force: true })
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  // Said twice, it is shown once.
  await expect(page.locator('.toast')).toHaveCount(1)
  await expect(owner).toHaveAttribute('data-sync', 'synced')
  // The line below offers only what works.
  await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click()
  const foot = page.locator('main footer')
  await expect(foot).toContainText('invite')
  await expect(foot).not.toContainText(/change role|remove/)
  await makeOwner(service, 'ada@example.com')
  await syncNow(page)
  await expect(foot).toContainText('change role')
  await expect(foot).toContainText('remove')
  // While an address is typed, Enter invites and Delete deletes a letter.
  await page.getByTestId('members-grid').press('i')
  await expect(foot).toContainText('to the list')
  await expect(foot).not.toContainText(/change role|remove/)
})

test('what the service refuses is said in its words, and can be taken back', async ({ startApp, service, driver }) => {
  const ada = await makeOwner(service, 'ada@example.com')
  const { page } = await startApp('holdfast', { workspace: { service } })
  // The key is there with the workspace, which is read a moment after its state.
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  await page.keyboard.press('m')
  await expect(page.getByTestId('member-row')).toHaveCount(2)
  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Pause' }).click()
  await closeQueue(page)
  await expectSync(page, 'paused')
  const owner = memberRow(page, 'owner@localhost')
  await owner.getByRole('rowheader').click()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(owner).toHaveAttribute('data-sync', 'queued')
  // Meanwhile they have become the last owner.
  await service.ask('PATCH', `/members/${ada}`, { roleId: 'editor' })
  await syncNow(page)
  await expect(owner).toHaveAttribute('data-sync', 'failed')
  await expect(owner).toContainText('The last active owner')
  await photograph(page, driver, '18-members-refused')
  await owner.getByRole('button', { name: /^Details of the change/ }).click()
  const dialog = page.getByTestId('change-dialog')
  await expect(dialog).toContainText('The last active owner cannot leave')
  await dialog.getByRole('button', { name: 'Discard…' }).click()
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(owner).toHaveAttribute('data-sync', 'synced')
  await expectSync(page, 'paused')
})
