import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listBackups } from '../../../service/store/database-backups.ts'
import { migrate, newestStep, NewerDatabaseError } from '../../../service/store/migrate.ts'
import { migrations } from '../../../service/store/migrations/all.ts'
import type { Migration } from '../../../service/store/migrations/migration.ts'
import { openPostgres } from '../../../service/store/open-postgres.ts'
import { openSqlite } from '../../../service/store/open-sqlite.ts'
import { openStore } from '../../../service/store/open-store.ts'
import type { Store } from '../../../service/store/store.ts'
import { createDatabase } from '../support/create-database.ts'
import { databases } from '../support/databases.ts'

const now = () => '2026-01-01T00:00:00.000Z'

test('migrations are numbered without a gap, from the number that databases had before the first release', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => 6 + index))
})

describe.each(databases)('migrations on %s', (kind) => {
  let dir: string
  const open: Store[] = []
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'holdfast-migrate-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()))
  })
  afterAll(async () => {
    await rm(dir, { recursive: true })
  })
  let count = 0
  const place = async (): Promise<() => Promise<Store>> => {
    const url = kind === 'PostgreSQL' ? await createDatabase() : undefined
    const file = join(dir, `${++count}.db`)
    return async () => {
      const store = url === undefined ? openSqlite(file) : await openPostgres(url)
      open.push(store)
      return store
    }
  }

  const good: Migration = {
    number: newestStep() + 1,
    name: 'good',
    up: async (db) => void (await sql`create table extra (id integer)`.execute(db)),
  }
  const bad: Migration = {
    number: newestStep() + 2,
    name: 'bad',
    up: async (db) => {
      await sql`create table half (id integer)`.execute(db)
      await sql`update workspaces set name = 'half'`.execute(db)
      throw new Error('this step fails')
    },
  }

  const hasTable = async (store: Store, name: string): Promise<boolean> =>
    sql`select * from ${sql.table(name)}`.execute(store.kysely).then(
      () => true,
      () => false,
    )

  test('a step that fails leaves nothing behind, and those before it stand', async () => {
    const store = await (await place())()
    await expect(migrate(store, { now, migrations: [...migrations, good, bad] })).rejects.toThrow('this step fails')
    expect([await hasTable(store, 'variables'), await hasTable(store, 'extra'), await hasTable(store, 'half')]).toEqual([true, true, false])
    await migrate(store, { now, migrations: [...migrations, good] })
  })

  test('a second run does nothing', async () => {
    const store = await (await place())()
    await migrate(store, { now })
    await migrate(store, { now, beforeFirst: () => Promise.reject(new Error('there was nothing to migrate')) })
  })

  test('what was there is kept before the first step, and not for an empty database', async () => {
    const store = await (await place())()
    const asked: number[] = []
    const beforeFirst = (from: number) => Promise.resolve(void asked.push(from))
    await migrate(store, { now, beforeFirst })
    await migrate(store, { now, beforeFirst, migrations: [...migrations, good] })
    expect(asked).toEqual([newestStep()])
  })

  test('a database of a newer version is refused and left alone', async () => {
    const store = await (await place())()
    await migrate(store, { now, migrations: [...migrations, good] })
    await expect(migrate(store, { now })).rejects.toThrow(NewerDatabaseError)
    expect(await hasTable(store, 'extra')).toBe(true)
  })

  test('two that start at once on an empty database both find it migrated', async () => {
    const opening = await place()
    const [first, second] = [await opening(), await opening()]
    if (kind === 'PostgreSQL') await Promise.all([migrate(first, { now }), migrate(second, { now })])
    else {
      await migrate(first, { now })
      await migrate(second, { now })
    }
    expect(await hasTable(second, 'variables')).toBe(true)
  })
})

test('a SQLite database is copied before a step changes it, with what is only in its log, also when that step fails', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-migrate-'))
  const before = await openStore({ dataDir }, now)
  expect(await listBackups(dataDir)).toEqual([])
  await sql`update schema_migrations set number = number - 1`.execute(before.kysely)
  await expect(openStore({ dataDir }, now)).rejects.toThrow('already exists')
  await before.close()
  const [copy, ...others] = await listBackups(dataDir)
  expect([copy?.at, others]).toEqual([Date.parse(now()), []])
  const opened = new Database(copy?.file)
  expect(opened.prepare('select max(number) from schema_migrations').pluck().get()).toBe(newestStep() - 1)
  opened.close()
  await rm(dataDir, { recursive: true })
})
