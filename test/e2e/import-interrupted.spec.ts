import Database from 'better-sqlite3'
import { expect, test } from './fixtures.ts'
import { databaseOf } from './steps/database-of.ts'
import { unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { expectSync } from './steps/sync.ts'
import { expectValue } from './steps/variables.ts'

test('a start that undoes an interrupted import says what became of it, until it is dismissed', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await expectSync(app.page, 'synced')
  await app.quit()
  const database = new Database(await databaseOf(app))
  database.prepare(`INSERT INTO meta (key, value) VALUES ('interrupted', '{"undone":1204,"kept":12}')`).run()
  database.close()
  await app.start()
  await unlock(app.page)
  const note = app.page.getByTestId('interrupted-note')
  await expect(note).toContainText('1,204 changes were undone.')
  await look(app.page, 'an interrupted import')
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toBeHidden()
  await app.restart()
  await unlock(app.page)
  await expectValue(app.page, 'GREETING', 'hello')
  await expect(app.page.getByTestId('interrupted-note')).toBeHidden()
})

test('a start that undoes a long import says so, and how far it is', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await expectSync(app.page, 'synced')
  await app.quit()
  const database = new Database(await databaseOf(app))
  const insert = database.prepare(`INSERT INTO meta (key, value) VALUES (?, '[]')`)
  // Each part takes a transaction, though it has no rows: some seconds altogether, because a short wait is not told of.
  database.transaction(() => Array.from({ length: 12_000 }, (_, part) => insert.run(`unfinished-work-${part}`)))()
  database.close()
  await app.start()
  await unlock(app.page)
  await expect(app.page.getByRole('heading', { name: 'Undoing an interrupted import' })).toBeVisible()
  await look(app.page, 'an interrupted import that is undone')
  await expectValue(app.page, 'GREETING', 'hello')
})
