import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { TestClient } from '../../support/build-client.ts'
import { workspaceKey } from './data-set.ts'
import { feedPages } from './feed-pages.ts'
import { memoryOf, timed } from './rounds.ts'
import type { Taken } from './rounds.ts'

/** What one first mirror took, the most memory of its process in megabytes, and how long its event loop was held, in milliseconds. */
export interface Mirrored extends Taken {
  rows: number
  memory: number
  holdP99: number
  holdMax: number
}

const [side = '', url = '', apiKey = '', workspaceId = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
const delay = monitorEventLoopDelay({ resolution: 2 })

/** Holdfast's first sync: the feed, each value checked, opened and tagged, base and working, all indexes. */
const ours = async () => {
  const client = new TestClient({ service: { url, apiKey, workspaceId }, key: workspaceKey(), random: Math.random, parent: folder })
  delay.enable()
  const taken = await timed(() => client.sync())
  delay.disable()
  const { rows } = await client.mirror.read
    .selectFrom('working')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('kind', '=', 'variable')
    .executeTakeFirstOrThrow()
  await client.close()
  return { ...taken, rows }
}

/** The least that brings the same bytes into a database that can be read by name: JSON.parse, prepared inserts, one durable transaction. */
const bare = async () => {
  const database = new Database(join(folder, 'bare.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`
    create table rows (id text primary key, resource text, parent text, name text, value text, type text, updated_at text, updated_by text, etag text);
    create index rows_by_name on rows (parent, name);
  `)
  const insert = database.prepare('insert or replace into rows values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const fields = ['environmentId', 'name', 'value', 'type', 'updatedAt', 'updatedBy', 'etag']
  delay.enable()
  const taken = await timed(async () => {
    database.exec('begin')
    for await (const { items } of feedPages(url, apiKey))
      for (const { id, resource, record } of items) insert.run(id, resource, ...fields.map((field) => record?.[field] ?? null))
    database.exec('commit')
  })
  delay.disable()
  const rows = database.prepare("select count(*) from rows where resource = 'variable'").pluck().get() as number
  database.close()
  return { ...taken, rows }
}

const taken = await (side === 'ours' ? ours() : bare())
rmSync(folder, { recursive: true, force: true })
const hold = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - 2)
const mirrored: Mirrored = {
  ...taken,
  memory: memoryOf(process.pid, 'most'),
  holdP99: hold(delay.percentile(99)),
  holdMax: hold(delay.max),
}
process.stdout.write(JSON.stringify(mirrored))
