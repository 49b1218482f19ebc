import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { restoreEntry, allEntries } from '../../electron/mirror/queue-layer.ts'
import { build } from '../../electron/mirror/tx.ts'
import { aChange, sealed } from '../queue/a-change.ts'
import { tempFile } from './temp-file.ts'

const opened = (file: string): Mirror => {
  const mirror = openMirror(file)
  if (!mirror.ok) throw new Error(mirror.error.message)
  return mirror.value
}

/** A closed database with some hundred changes in it. */
function filled(): string {
  const file = tempFile()
  const mirror = opened(file)
  mirror.write((tx) => {
    for (let n = 1; n <= 500; n += 1)
      restoreEntry(tx, aChange({ id: `c${n}`, rowId: `r${n}`, patch: { name: `N${n}`, value: sealed(`${n}`) } }))
  })
  mirror.close()
  return file
}

describe('an open mirror', () => {
  test('writes ahead, synchronously, and overwrites what it deletes', () => {
    const mirror = opened(tempFile())
    mirror.write((tx) => {
      const pragma = (name: string) => Object.values(tx.all<Record<string, unknown>>(pragmaQuery(name))[0] ?? {})[0]
      expect(pragma('journal_mode')).toBe('wal')
      expect(pragma('synchronous')).toBe(2)
      expect(pragma('secure_delete')).toBe(1)
      expect(pragma('busy_timeout')).toBe(2000)
    })
    mirror.close()
  })

  test('what a write has returned is there for another process, what it threw away is not', () => {
    const file = tempFile()
    const mirror = opened(file)
    mirror.write((tx) => restoreEntry(tx, aChange({ id: 'kept' })))
    expect(() =>
      mirror.write((tx) => {
        restoreEntry(tx, aChange({ id: 'lost' }))
        throw new Error('no')
      }),
    ).toThrow('no')
    const other = new SqliteDatabase(file, { readonly: true })
    expect(other.prepare('SELECT id FROM queue').pluck().all()).toEqual(['kept'])
    other.close()
    expect(mirror.snapshot(allEntries).map(({ id }) => id)).toEqual(['kept'])
    mirror.close()
  })

  test('the reading connection cannot write', async () => {
    const mirror = opened(tempFile())
    await expect(mirror.read.insertInto('meta').values({ key: 'k', value: 'v' }).execute()).rejects.toThrow(/readonly/)
    mirror.close()
  })

  test('a lasting read sees one state of the file while others write, and writes nothing itself', async () => {
    const mirror = opened(filled())
    const counted = await mirror.lasting(async (tx) => {
      const before = allEntries(tx).length
      await new Promise((resolve) => setImmediate(resolve))
      mirror.write((write) => restoreEntry(write, aChange({ id: 'late', rowId: 'late', patch: { name: 'LATE' } })))
      await new Promise((resolve) => setImmediate(resolve))
      return [before, allEntries(tx).length]
    })
    expect(counted).toEqual([500, 500])
    expect(mirror.snapshot(allEntries)).toHaveLength(501)
    await expect(mirror.lasting(async (tx) => tx.run(build.deleteFrom('queue')))).rejects.toThrow(/readonly/)
    mirror.close()
  })

  test('another process that holds the file makes a write fail clearly, and the mirror works on afterwards', () => {
    const file = tempFile()
    const mirror = opened(file)
    const other = new SqliteDatabase(file)
    other.exec('BEGIN IMMEDIATE')
    expect(() => mirror.write((tx) => restoreEntry(tx, aChange()))).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    other.exec('ROLLBACK')
    other.close()
    mirror.write((tx) => restoreEntry(tx, aChange()))
    expect(mirror.snapshot(allEntries)).toHaveLength(1)
    mirror.close()
  })
})

/** Only to read a pragma through the one writer. */
const pragmaQuery = (name: string) => {
  const compiled = build.selectNoFrom((eb) => eb.lit(1).as('n')).compile()
  return { compile: () => ({ ...compiled, sql: `PRAGMA ${name}`, parameters: [] }) }
}

describe('a database that cannot be opened', () => {
  test.each<{ says: string; damage: (file: string) => void }>([
    { says: 'a text', damage: (file) => writeFileSync(file, 'name,value\n'.repeat(1_000)) },
    { says: 'cut off', damage: (file) => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096 + 100) },
    { says: 'overwritten in the middle', damage: (file) => overwrite(file, 4096 * 3, 4096 * 6) },
    { says: 'overwritten at its first page', damage: (file) => overwrite(file, 100, 3000) },
  ])('that is $says is called damaged, and stays as it is', ({ damage }) => {
    const file = filled()
    damage(file)
    const before = readFileSync(file)
    expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('of a newer Holdfast is refused, and stays as it is', () => {
    const file = filled()
    const database = new SqliteDatabase(file)
    database.pragma('user_version = 999')
    database.close()
    const before = readFileSync(file)
    expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-newer' } })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('in a folder that is not there, or that cannot be written, says which folder', () => {
    expect(openMirror(join(tempFile(), 'nowhere', 'mirror.sqlite'))).toMatchObject({ ok: false, error: { kind: 'folder-read-only' } })
    // The system's own read-only folder: permissions alone do not stop root.
    expect(openMirror('/proc/mirror.sqlite')).toMatchObject({ ok: false, error: { kind: 'folder-read-only' } })
    const locked = join(dirname(tempFile()), 'locked')
    mkdirSync(locked)
    chmodSync(locked, 0o500)
    const inLocked = openMirror(join(locked, 'mirror.sqlite'))
    if (inLocked.ok) inLocked.value.close()
    expect(inLocked.ok).toBe(process.getuid?.() === 0)
  })

  test('that another process holds says so', () => {
    const file = filled()
    const copy = `${file}.held`
    copyFileSync(file, copy)
    const other = new SqliteDatabase(copy)
    other.pragma('locking_mode = EXCLUSIVE')
    other.exec('BEGIN EXCLUSIVE')
    expect(openMirror(copy)).toMatchObject({ ok: false, error: { kind: 'folder-in-use' } })
    other.exec('ROLLBACK')
    other.close()
    expect(existsSync(file)).toBe(true)
  })
})

function overwrite(file: string, from: number, bytes: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, from)
}
