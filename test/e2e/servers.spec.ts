import type { Page } from '@playwright/test'
import type { Flavour } from '../support/flavours.ts'
import { expect, test } from './fixtures.ts'
import type { ServiceProcess } from './service-process.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { followNames } from './steps/following.ts'
import { unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, deleteVariable, editVariable, expectCount, expectValue, rowOf } from './steps/variables.ts'
import { askService, connectWithKey, connectWithNewKey, createProject, openConnectForm } from './steps/workspaces.ts'

/**
 * How each kind of server differs for a user: what is said of it, and whether it lists what it holds. Ours with all it can do has
 * specs of its own; what one without ETags needs is tested below the screen.
 */
const kinds: Partial<Record<Flavour, { limits: readonly RegExp[]; lists: boolean }>> = {
  'no-feed': { limits: [/no list of changes/], lists: true },
  'bare-arrays': { limits: [/no list of changes/], lists: true },
  'only-14': {
    limits: [/cannot list what it holds/, /no list of changes/, /does not mark revisions/, /cannot list versions/, /cannot list members/],
    lists: false,
  },
}

const production = '/projects/fernweh/environments/production/variables'

/** Connects to a server that lists nothing: the key cannot be tried there, and what to keep in step has to be named. */
async function connectAndFollow(page: Page, service: ServiceProcess, key: string): Promise<void> {
  await openConnectForm(page)
  await askService(page, service)
  await page.getByRole('radio', { name: 'I have the workspace key' }).check()
  await page.getByRole('textbox', { name: 'Workspace key' }).fill(key)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('checkbox', { name: 'This is the key that the others use' }).click()
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing followed yet' })).toBeVisible()
  await expectAccessible(page, 'an empty workspace of a server without lists')
  await page.getByRole('button', { name: 'Follow a project…' }).click()
  const dialog = await followNames(page, 'fernweh', 'production', 'GREETING="not looked at"\nMOOD=\nOLD=\nNOT_THERE=')
  await expect(dialog.locator('[data-name="NOT_THERE"]')).toHaveAttribute('data-state', 'missing')
  await expect(dialog).toContainText('1 is not on the server')
  await look(page, 'the followed names')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

for (const [flavour, { limits, lists }] of Object.entries(kinds)) {
  test(`edits, a restart, a colleague's change, a conflict and a delete on a server of the kind ${flavour}`, async ({
    service,
    startApp,
  }) => {
    const theirs = await startApp('theirs')
    const key = await connectWithNewKey(theirs.page, service)
    await createProject(theirs.page, 'Fernweh', 'Production')
    for (const name of ['GREETING', 'MOOD', 'OLD']) await addVariable(theirs.page, name, `${name} was this`)
    await expectSync(theirs.page, 'synced')
    await service.become(flavour as Flavour)

    const mine = await startApp('mine')
    // A restart opens another window.
    const panel = () => mine.page.getByTestId('queue-panel')
    if (lists) await connectWithKey(mine.page, service, key)
    else await connectAndFollow(mine.page, service, key)
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
    await expectSync(mine.page, lists ? 'synced' : 'queued')

    const askFor = async (name: string) => (await service.ask('GET', `${production}/${name}`)).status
    // One that waits because the server cannot make it stands beside those that still wait to be sent.
    await expect.poll(async () => [await askFor('OLD'), await askFor('NEW')], { timeout: 60_000 }).toEqual([404, lists ? 200 : 404])
    if (!lists) {
      await openQueue(mine.page)
      const blocked = mine.page.locator('[data-testid="queue-row"][data-name="NEW"]')
      await expect(blocked).toHaveAttribute('data-state', 'blocked')
      await expect(blocked).toContainText('This service offers no way of creating a variable.')
      await expect(panel().getByText(/offers no way to create projects or variables/)).toBeVisible()
      await closeQueue(mine.page)
      await expectValue(mine.page, 'NEW', 'made offline')
    }

    await syncNow(theirs.page)
    await expectValue(theirs.page, 'GREETING', 'on a train')
    await editVariable(theirs.page, 'GREETING', 'seen, and answered')
    await expectSync(theirs.page, 'synced')
    await syncNow(mine.page)
    await expectValue(mine.page, 'GREETING', 'seen, and answered')

    await service.stop()
    await editVariable(mine.page, 'MOOD', 'made this of it')
    await mine.quit()
    await editVariable(theirs.page, 'MOOD', 'made that of it')
    await service.start()
    await syncNow(theirs.page)
    await expectSync(theirs.page, 'synced')
    await mine.start()
    await unlock(mine.page)
    await expectSync(mine.page, 'attention')
    await openQueue(mine.page)
    await panel().getByRole('button', { name: 'Review MOOD' }).click()
    await mine.page.getByTestId('conflict-review').getByRole('button', { name: 'Keep mine' }).click()
    await expectSync(mine.page, lists ? 'synced' : 'queued')
    await syncNow(theirs.page)
    await expectValue(theirs.page, 'MOOD', 'made this of it')

    await deleteVariable(mine.page, 'MOOD')
    await expectSync(mine.page, lists ? 'synced' : 'queued')
    await expect.poll(() => askFor('MOOD'), { timeout: 60_000 }).toBe(404)
    await syncNow(theirs.page)
    await expect(rowOf(theirs.page, 'MOOD')).toHaveCount(0)

    if (lists) return
    await service.become('full')
    await syncNow(mine.page)
    await expectSync(mine.page, 'synced')
    expect(await askFor('NEW')).toBe(200)
  })
}
