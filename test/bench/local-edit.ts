import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createOfflineDesk, workspaceId } from '../app/imports/offline-desk.ts'
import { asShown } from '../support/as-shown.ts'
import { nameOf, plainValue, sealedValue } from './support/data-set.ts'
import { interleave, timed, timeRows } from './support/rounds.ts'
import type { Taken } from './support/rounds.ts'
import { ratioAtMost } from './support/row.ts'
import type { Bench } from './support/row.ts'
import { valueOf } from '../support/value-of.ts'

const variables = 2000
const edits = 200

/** A database that changes two rows in one durable transaction, and nothing else. */
const bareEdits = (folder: string): (() => void) => {
  const database = new Database(join(folder, 'bare.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`
    create table rows (id text primary key, name text, sealed text, tag text);
    create table changes (row_id text primary key, sealed text, tag text, at integer);
  `)
  const insert = database.prepare('insert into rows values (?, ?, ?, ?)')
  database.transaction(() => {
    for (let n = 0; n < variables; n += 1) insert.run(String(n), nameOf(n), sealedValue(), 'tag')
  })()
  const updateRow = database.prepare('update rows set sealed = ?, tag = ? where id = ?')
  const putChange = database.prepare('insert or replace into changes values (?, ?, ?, ?)')
  const edit = database.transaction((id: string, sealed: string) => {
    updateRow.run(sealed, 'tag', id)
    putChange.run(id, sealed, 'tag', Date.now())
  })
  return () => {
    for (let n = 0; n < edits; n += 1) edit(String((n * 7) % variables), sealedValue())
  }
}

/** 200 edits one after another, each durable before the next, through the command that the page calls. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const desk = createOfflineDesk()
  const [environmentId = ''] = await desk.environments('Production')
  const text = Array.from({ length: variables }, (_, n) => `${nameOf(n)}="${plainValue()}"\n`).join('')
  await valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text }))
  const { rows } = await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId, filter: '', offset: 0, limit: 500 }))
  const ids = rows.map(({ id }) => id)
  const ours = async () => {
    for (let n = 0; n < edits; n += 1) {
      const id = ids[(n * 7) % ids.length] ?? ''
      await valueOf(desk.handlers['variables.update']({ workspaceId, id, seen: asShown, value: plainValue() }))
    }
  }
  const bare = bareEdits(folder)
  const each = (taken: Taken): Taken => ({ wall: taken.wall / edits, cpu: taken.cpu / edits })
  const seen = await interleave({ ours: async () => each(await timed(ours)), bare: async () => each(await timed(bare)) })
  desk.close()
  rmSync(folder, { recursive: true, force: true })
  const rival = { what: 'transaction of two rows', taken: seen.bare }
  return timeRows('local edit, durable', seen.ours, rival, { on: 'cpu', goal: ratioAtMost(1.5) })
}
