import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { databaseOf } from './steps/database-of.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, expectValue, findVariable } from './steps/variables.ts'

test(
  'a damaged database is repaired by choice: unsent edits are saved and sent, the damaged file is kept',
  { tag: '@shell' },
  async ({ startApp, service }) => {
    const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'was this' } } } } })
    await expectSync(app.page, 'synced')
    await service.stop()
    await editVariable(app.page, 'GREETING', 'typed offline')
    await addVariable(app.page, 'MADE_OFFLINE', 'on a train')
    await app.quit()

    const file = await databaseOf(app)
    const bytes = await readFile(file)
    bytes.fill(0xa5, 0, 100)
    await writeFile(file, bytes)
    await app.start()
    await unlock(app.page)
    const damaged = app.page.getByTestId('damaged-workspace')
    await expect(damaged).toContainText('2 unsent changes can be recovered.')
    await look(app.page, 'a damaged workspace')
    await damaged.getByRole('button', { name: 'Export unsent changes…' }).click()
    const dialog = app.page.getByTestId('export-unsent')
    await look(app.page, 'the export of unsent edits')
    await dialog.getByRole('radio', { name: 'Plain text' }).click()
    await expect(dialog).toContainText('plain text')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await damaged.getByRole('button', { name: 'Repair' }).click()
    const note = app.page.getByTestId('repair-note')
    await expect(note).toContainText('2 unsent changes were recovered.')
    await expect(note).toContainText(path.join('mirror.sqlite'))
    await look(app.page, 'a repaired workspace')
    await expectValue(app.page, 'GREETING', 'typed offline')
    const kept = (await readdir(path.dirname(file))).find((name) => name.startsWith('damaged-'))
    expect((await readFile(path.join(path.dirname(file), kept ?? '', 'mirror.sqlite'))).equals(bytes)).toBe(true)

    await service.start()
    await syncNow(app.page)
    await expectSync(app.page, 'synced')
    const made = await service.ask('GET', '/projects/fernweh/environments/production/variables/MADE_OFFLINE')
    expect(made.status).toBe(200)
    await note.getByRole('button', { name: 'Dismiss' }).click()
    await expect(note).toBeHidden()
    await app.restart()
    await unlock(app.page)
    await expectValue(app.page, 'MADE_OFFLINE', 'on a train')
    await expect(app.page.getByTestId('repair-note')).toBeHidden()
  },
)

test('a local workspace whose service is damaged goes on, and gets its backup back by choice', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { SYNCED: 'before the damage' } } } } })
  await expectSync(app.page, 'synced')
  await app.quit()
  const service = path.join(path.dirname(await databaseOf(app)), 'service', 'service.db')
  await writeFile(service, 'no database any more')
  await app.start()
  await unlock(app.page)
  const damaged = app.page.getByTestId('service-damaged')
  await expect(damaged).toBeVisible()
  await look(app.page, 'a workspace whose service is damaged')
  await addVariable(app.page, 'UNSENT', 'after the damage')

  await damaged.getByRole('button', { name: /Restore backup|Rebuild/ }).click()
  await expect(damaged).toBeHidden()
  await expectSync(app.page, 'synced')
  await expectValue(app.page, 'SYNCED', 'before the damage')
  await expectValue(app.page, 'UNSENT', 'after the damage')
})

test('an overwritten value is found in the history of its variable, a deleted one in that of its environment; both come back', async ({
  startApp,
  service,
}) => {
  const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'first words' } } } } })
  await expectSync(app.page, 'synced')
  await editVariable(app.page, 'GREETING', 'second words')
  await expectSync(app.page, 'synced')
  const row = await findVariable(app.page, 'GREETING')
  await row.click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Value history…' }).click()
  const dialog = app.page.getByTestId('history-dialog')
  await expect(dialog.getByTestId('history-row')).toContainText('Replaced by you')
  await expect(dialog.getByTestId('history-row')).toContainText('first words')
  await look(app.page, 'the history of a variable')
  await dialog.getByRole('button', { name: 'Restore GREETING' }).click()
  await app.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expectValue(app.page, 'GREETING', 'first words')
  await expectSync(app.page, 'synced')

  expect((await service.ask('DELETE', '/projects/fernweh/environments/production/variables/GREETING')).status).toBe(200)
  await syncNow(app.page)
  await expect(app.page.getByTestId('variable-row')).toHaveCount(0)
  await app.page.keyboard.press('ControlOrMeta+k')
  await app.page.getByRole('combobox').fill('value history')
  await app.page
    .getByRole('option', { name: /^Value history/ })
    .first()
    .click()
  await expect(dialog.getByTestId('history-row').first()).toContainText('Deleted by')
  await dialog.getByRole('button', { name: 'Restore GREETING' }).first().click()
  await app.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expectValue(app.page, 'GREETING', 'first words')
})

test('sync is paused by hand beyond a restart, syncs once when asked, and is resumed', async ({ startApp, service }) => {
  const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: {} } } } })
  await expectSync(app.page, 'synced')
  await openQueue(app.page)
  const panel = () => app.page.getByTestId('queue-panel')
  await panel().getByRole('button', { name: 'Pause' }).click()
  await expectSync(app.page, 'paused')
  await expectAccessible(app.page, 'a paused queue')
  await closeQueue(app.page)
  await addVariable(app.page, 'HELD', 'back')
  await expectSync(app.page, 'paused')
  await expect(app.page.getByTestId('sync-pill')).toContainText('Paused · 1 queued')
  await expect(app.page.getByTestId('sync-told')).toHaveText('Sync: Paused · 1 queued')
  await app.restart()
  await unlock(app.page)
  await expectSync(app.page, 'paused')
  expect((await service.ask('GET', '/projects/fernweh/environments/production/variables/HELD')).status).toBe(404)
  await openQueue(app.page)
  await panel().getByRole('button', { name: 'Sync now' }).click()
  await expect(panel().getByTestId('queue-row')).toHaveCount(0)
  await expectSync(app.page, 'paused')
  expect((await service.ask('GET', '/projects/fernweh/environments/production/variables/HELD')).status).toBe(200)
  await panel().getByRole('button', { name: 'Resume' }).click()
  await expectSync(app.page, 'synced')
})

test('an environment that is gone on the service with edits pending can be kept, restored, exported or discarded', async ({
  startApp,
  service,
}) => {
  const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'was this' } } } } })
  await expectSync(app.page, 'synced')
  await openQueue(app.page)
  await app.page.getByTestId('queue-panel').getByRole('button', { name: 'Pause' }).click()
  await closeQueue(app.page)
  await editVariable(app.page, 'GREETING', 'typed meanwhile')
  expect((await service.ask('DELETE', '/projects/fernweh/environments/production')).status).toBe(200)
  await openQueue(app.page)
  await app.page.getByTestId('queue-panel').getByRole('button', { name: 'Resume' }).click()
  await expectSync(app.page, 'attention')
  await app.page.getByTestId('queue-panel').getByRole('button', { name: 'Review Production' }).click()
  const review = app.page.getByTestId('conflict-review')
  await expectAccessible(app.page, 'an environment that is gone')
  for (const name of ['Decide later', 'Restore it', 'Export…', 'Delete it']) {
    await expect(review.getByRole('button', { name })).toBeVisible()
  }
  await review.getByRole('button', { name: 'Export…' }).click()
  await expect(app.page.getByTestId('export-unsent')).toContainText('Production')
  await app.page.getByTestId('export-unsent').getByRole('button', { name: 'Cancel' }).click()
  await review.getByRole('button', { name: 'Decide later' }).click()
  await expect(app.page.getByTestId('queue-panel')).toBeVisible()
  await closeQueue(app.page)
  await expectValue(app.page, 'GREETING', 'typed meanwhile')
  await openQueue(app.page)
  await app.page.getByTestId('queue-panel').getByRole('button', { name: 'Review Production' }).click()
  await review.getByRole('button', { name: 'Restore it' }).click()
  await expectSync(app.page, 'synced')
  expect((await service.ask('GET', '/projects/fernweh/environments/production/variables/GREETING')).status).toBe(200)
})
