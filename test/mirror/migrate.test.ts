import { existsSync, readFileSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { migrate } from '../../electron/mirror/migrate.ts'
import { allMigrations, newestVersion, type Migration } from '../../electron/mirror/migrations.ts'
import { tempFile } from './temp-file.ts'

const second: Migration = {
  version: newestVersion() + 1,
  up: ['CREATE TABLE notes (text TEXT) STRICT', `INSERT INTO notes VALUES ('kept')`],
}
const failing: Migration = {
  version: newestVersion() + 2,
  up: ['CREATE TABLE half (x TEXT) STRICT', 'CREATE TABLE notes (again TEXT)'],
}

const open = (file: string) => {
  const database = new SqliteDatabase(file)
  database.pragma('journal_mode = WAL')
  return database
}

const tables = (database: SqliteDatabase.Database): unknown[] =>
  database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`).pluck().all()

const versionOf = (database: SqliteDatabase.Database) => database.pragma('user_version', { simple: true })

describe('migrate', () => {
  test('brings a new file to the newest schema, and does nothing the second time', () => {
    const database = open(tempFile())
    expect(migrate(database)).toEqual({ ok: true, value: null })
    expect(versionOf(database)).toBe(newestVersion())
    expect(tables(database)).toEqual(expect.arrayContaining(['base', 'history', 'meta', 'queue', 'working']))
    expect(migrate(database)).toEqual({ ok: true, value: null })
    expect(existsSync(`${database.name}.before-${newestVersion()}`)).toBe(false)
    database.close()
  })

  test('lays a copy beside a file with data before its first step, with what was only in the log', () => {
    const database = open(tempFile())
    migrate(database)
    database.prepare(`INSERT INTO meta VALUES ('feed-cursor', 'c')`).run()
    const steps = [...allMigrations, second]
    expect(migrate(database, steps)).toMatchObject({ ok: true })
    const copy = new SqliteDatabase(`${database.name}.before-${second.version}`, { readonly: true })
    expect(versionOf(copy)).toBe(newestVersion())
    expect(copy.prepare('SELECT value FROM meta').pluck().get()).toBe('c')
    expect(tables(copy)).not.toContain('notes')
    copy.close()
    database.close()
  })

  test('a step that fails leaves the file as the step before left it', () => {
    const database = open(tempFile())
    expect(() => migrate(database, [...allMigrations, second, failing])).toThrow('table notes already exists')
    expect(versionOf(database)).toBe(second.version)
    expect(tables(database)).toContain('notes')
    expect(tables(database)).not.toContain('half')
    expect(migrate(database, [...allMigrations, second])).toMatchObject({ ok: true })
    database.close()
  })

  test('refuses a file of a newer Holdfast, and does not touch it', () => {
    const file = tempFile()
    const database = open(file)
    migrate(database, [...allMigrations, second])
    database.close()
    const before = readFileSync(file)
    const again = open(file)
    expect(migrate(again)).toMatchObject({ ok: false, error: { kind: 'database-newer' } })
    again.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('keeps the history of an older file, with its numbers, and goes on noting what a new name supersedes', () => {
    const database = open(tempFile())
    migrate(
      database,
      allMigrations.filter(({ version }) => version <= 27),
    )
    const bound = (mark: string) => `v1:${mark.repeat(40)}.${'b'.repeat(43)}`
    database.exec(`
      INSERT INTO base (id, kind, parent_id, name, sealed, remote_id) VALUES ('new', 'variable', 'env', 'OTHER', '${bound('N')}', 'remote');
      INSERT INTO history (seq, row_id, name, whose, sealed, key_id, at, parent_id, why, by, type, is_secret)
        VALUES (7, 'old', 'PORT', 'theirs', '${bound('O')}', 'key', 5, 'env', 'deleted', 'ann', 'number', 0)`)
    const before = database.prepare('SELECT * FROM history').get()
    expect(migrate(database)).toEqual({ ok: true, value: null })
    expect(database.prepare('SELECT * FROM history').all()).toEqual([before])
    database.exec(`UPDATE base SET name = 'PORT' WHERE id = 'new'`)
    expect(database.prepare('SELECT nonce FROM superseded').pluck().all()).toEqual(['O'.repeat(16)])
    database.close()
  })

  test('numbers its steps without a gap, from the number that databases had before the first release', () => {
    expect(allMigrations.map(({ version }) => version)).toEqual(allMigrations.map((_, index) => 23 + index))
  })
})
