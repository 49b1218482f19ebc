import type { Page } from '@playwright/test'
import type { Flavour } from '../support/flavours.ts'
import { expect, test } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { trackNames } from './steps/track-names.ts'
import { unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { leaveVersions, openVersions, pickVersion, rollBack, saveVersion, versionItem } from './steps/versions.ts'
import { addVariable, deleteVariable, editVariable, expectCount, expectRowSync, expectValue, rowOf } from './steps/variables.ts'
import { askService, openConnectForm } from './steps/workspaces.ts'
import { changeBoth } from './steps/two-people.ts'

/** How each kind of service differs for a user: what is said of it, and whether it lists what it holds. */
const kinds: Readonly<Record<Flavour, { limits: readonly RegExp[]; lists: boolean }>> = {
  full: { limits: [], lists: true },
  'no-feed': { limits: [/no change feed/], lists: true },
  'bare-arrays': { limits: [/no change feed/], lists: true },
  'only-14': {
    limits: [/can’t list its projects/, /no change feed/, /can’t list versions/, /can’t list members/],
    lists: false,
  },
}

/** What a user sees of these, a service of the 14 operations alone shows too, and the full ones of every other spec. */
const coveredByOthers: readonly string[] = ['full', 'no-feed', 'bare-arrays']

const production = '/projects/fernweh/environments/production/variables'

/** Connects to a service that lists nothing: the key cannot be tried there, and what to keep in step has to be named. */
async function connectAndTrack(page: Page, service: ServiceOnStage, key: string): Promise<void> {
  await openConnectForm(page)
  await askService(page, service)
  await page.getByRole('radio', { name: 'I have the workspace key' }).check()
  await page.getByRole('textbox', { name: 'Workspace key' }).fill(key)
  await expect(page.getByText('a workspace key can’t be checked here')).toBeVisible()
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing tracked yet' })).toBeVisible()
  await expectAccessible(page, 'an empty workspace of a service without lists')
  await page.getByRole('button', { name: 'Track a project…' }).click()
  const dialog = await trackNames(page, 'fernweh', 'production', 'GREETING="not looked at"\nMOOD=\nOLD=\nNOT_THERE=')
  await expect(dialog.locator('[data-name="NOT_THERE"]')).toHaveAttribute('data-state', 'missing')
  await expect(dialog).toContainText('1 not found on the service')
  await look(page, 'the tracked names')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

for (const [flavour, { limits, lists }] of Object.entries(kinds)) {
  // Only a full service can create a variable.
  const isFull = flavour === 'full'
  const tag = coveredByOthers.includes(flavour) ? ['@long'] : []
  test(
    `edits, a restart, a colleague's change, a conflict and a delete on a service of the kind ${flavour}`,
    { tag },
    async ({ service, startApp }) => {
      const theirs = await startApp('theirs', {
        workspace: {
          service,
          projects: { Fernweh: { Production: { GREETING: 'GREETING was this', MOOD: 'MOOD was this', OLD: 'OLD was this' } } },
        },
      })
      const key = theirs.workspaceKey
      await expectSync(theirs.page, 'synced')
      await service.become(flavour as Flavour)

      const mine = await startApp('mine', lists ? { workspace: { service, key } } : {})
      // A restart opens another window.
      const panel = () => mine.page.getByTestId('queue-panel')
      if (!lists) await connectAndTrack(mine.page, service, key)
      await expectCount(mine.page, 3)
      await expectValue(mine.page, 'GREETING', 'GREETING was this')

      await openQueue(mine.page)
      for (const limit of limits) await expect(panel().getByText(limit)).toBeVisible()
      await closeQueue(mine.page)

      await service.stop()
      await editVariable(mine.page, 'GREETING', 'on a train')
      await addVariable(mine.page, 'NEW', 'made offline')
      await deleteVariable(mine.page, 'OLD')
      await mine.restart()
      await unlock(mine.page)
      await expectValue(mine.page, 'GREETING', 'on a train')
      await openQueue(mine.page)
      await expect(mine.page.getByTestId('queue-row')).toHaveCount(3)
      await closeQueue(mine.page)
      await service.start()
      await expectSync(mine.page, isFull ? 'synced' : 'queued')

      const askFor = async (name: string) => (await service.ask('GET', `${production}/${name}`)).status
      // One that waits because the service cannot make it stands beside those that still wait to be sent.
      await expect.poll(async () => [await askFor('OLD'), await askFor('NEW')], { timeout: 60_000 }).toEqual([404, isFull ? 200 : 404])
      if (!isFull) {
        await openQueue(mine.page)
        const blocked = mine.page.locator('[data-testid="queue-row"][data-name="NEW"]')
        await expect(blocked).toHaveAttribute('data-state', 'blocked')
        await expect(blocked).toContainText('Blocked · This service can’t create variables · ')
        await expect(panel().getByText(/can’t create projects or variables/)).toBeVisible()
        if (!lists) await look(mine.page, 'queue with a blocked change')
        await closeQueue(mine.page)
        await expectRowSync(mine.page, 'NEW', 'blocked', /^This service can’t create variables\./)
        if (!lists) await look(mine.page, 'table with a blocked row')
        await expectValue(mine.page, 'NEW', 'made offline')
      }

      await syncNow(theirs.page)
      await expectValue(theirs.page, 'GREETING', 'on a train')
      await editVariable(theirs.page, 'GREETING', 'seen, and answered')
      await expectSync(theirs.page, 'synced')
      await syncNow(mine.page)
      await expectValue(mine.page, 'GREETING', 'seen, and answered')

      await changeBoth(mine, theirs, service, 'MOOD')
      await openQueue(mine.page)
      await panel().getByRole('button', { name: 'Review MOOD' }).click()
      await mine.page.getByTestId('conflict-review').getByRole('button', { name: 'Keep mine' }).click()
      await expectSync(mine.page, isFull ? 'synced' : 'queued')
      await syncNow(theirs.page)
      await expectValue(theirs.page, 'MOOD', 'made this of it')

      await deleteVariable(mine.page, 'MOOD')
      await expectSync(mine.page, isFull ? 'synced' : 'queued')
      await expect.poll(() => askFor('MOOD'), { timeout: 60_000 }).toBe(404)
      await syncNow(theirs.page)
      await expect(rowOf(theirs.page, 'MOOD')).toHaveCount(0)

      if (isFull) return
      await service.become('full')
      await syncNow(mine.page)
      await expectSync(mine.page, 'synced')
      expect(await askFor('NEW')).toBe(200)
    },
  )
}

test('what a service with only the 14 operations cannot do of versions and members is said where one looks for it, and stays in the queue', async ({
  service,
  startApp,
}) => {
  test.setTimeout(300_000)
  const theirs = await startApp('theirs', {
    workspace: {
      service,
      projects: { Fernweh: { Production: { GREETING: 'GREETING was this', MOOD: 'MOOD was this', OLD: 'OLD was this' } } },
    },
  })
  const key = theirs.workspaceKey
  await openVersions(theirs.page)
  await saveVersion(theirs.page, 'base', '')
  await expectSync(theirs.page, 'synced')
  const { body } = await service.ask('GET', '/projects/fernweh/environments/production/versions')
  const [base] = body.data['items'] as { id: string }[]
  await theirs.quit()
  await service.become('only-14')

  const { page } = await startApp('mine')
  await connectAndTrack(page, service, key)
  await expectCount(page, 3)
  await editVariable(page, 'GREETING', 'another')
  await expectSync(page, 'synced')

  await openVersions(page)
  const id = page.getByLabel('Version ID')
  await expect(page.getByText('This service can’t list versions: enter the ID of a version to see it')).toBeVisible()
  await id.fill('no-such-version')
  await id.press('Enter')
  await expect(page.getByText('The service has no version with this ID.')).toBeVisible()
  await expectAccessible(page, 'versions of a service without a list of them')
  await id.fill(base?.id ?? '')
  await id.press('Enter')
  await expect(versionItem(page, 'base')).toBeVisible()
  await pickVersion(page, 'base')
  await rollBack(page, { GREETING: 'updated' }, true)
  await expectSync(page, 'synced')

  await saveVersion(page, 'kept', '')
  await expect(versionItem(page, 'kept')).toBeVisible()
  await openQueue(page)
  const snapshot = page.locator('[data-testid="queue-row"][data-name="kept"]')
  await expect(snapshot).toHaveAttribute('data-state', 'blocked')
  await expect(snapshot).toContainText('Blocked · This service can’t create versions · ')
  await closeQueue(page)
  await leaveVersions(page)
  await expectValue(page, 'GREETING', 'GREETING was this')

  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Members and roles' }).click()
  await expect(page.getByText('This service can’t list members: only people invited from this computer')).toBeVisible()
  await expect(page.getByText('This service can’t list roles: enter the ID of a role.')).toBeVisible()
  await page.getByLabel('Role to invite to').fill('viewer')
  await page.getByLabel('Email to invite').fill('ada@example.com')
  await page.getByLabel('Email to invite').press('Enter')
  await expect(page.locator('[data-testid="member-row"][data-email="ada@example.com"]')).toHaveAttribute('data-status', 'invited')
  await expectAccessible(page, 'members of a service without a list of them')

  await service.become('full')
  await syncNow(page)
  await expectSync(page, 'synced')
  const taken = await service.ask('GET', '/projects/fernweh/environments/production/versions')
  expect((taken.body.data['items'] as { label: string }[]).map(({ label }) => label)).toContain('kept')
})
