import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backUp, backUpDaily, backupFolder, DamagedDatabaseError, listBackups } from '../../../service/store/database-backups.ts'
import { databaseFile, openStore } from '../../../service/store/open-store.ts'
import type { Store } from '../../../service/store/store.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-03-10T12:00:00.000Z')

let dataDir: string
let store: Store
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-backups-'))
  store = await openStore({ dataDir }, () => new Date(now).toISOString())
})
afterEach(async () => {
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

const seqOf = async () => (await store.kysely.selectFrom('clock').select('seq').executeTakeFirstOrThrow()).seq

/** Overwrites the last page of the file, which nothing reads that opens it. */
const damageEnd = async (): Promise<void> => {
  await store.close()
  const handle = await open(databaseFile(dataDir), 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, size - 4096)
  await handle.close()
}

describe('backups of a SQLite database', () => {
  test('hold what is only in its log yet, in one file that nobody else can read', async () => {
    await store.kysely
      .insertInto('clock')
      .values({ workspace_id: 'w', seq: 4711, epoch: 'e', pruned_to: 0, gap_after: 0, gap_before: 0, records: 0, versions: 0, bytes: 0 })
      .execute()
    await backUp(store, dataDir, now)
    expect(await readdir(backupFolder(dataDir))).toHaveLength(1)
    const [backup] = await listBackups(dataDir)
    expect(backup?.at).toBe(now)
    if (process.platform !== 'win32') expect((await stat(backup?.file ?? '')).mode & 0o777).toBe(0o600)
    const copy = new Database(backup?.file, { readonly: true })
    expect(copy.prepare('select seq from clock').pluck().get()).toBe(await seqOf())
    copy.close()
  })

  test('are made once a day, and the last seven are kept', async () => {
    for (let hour = 0; hour < 24 * 9; hour += 6) await backUpDaily(store, dataDir, now + hour * 3_600_000)
    const days = (await listBackups(dataDir)).map(({ at }) => (at - now) / dayMs)
    expect(days).toEqual([8, 7, 6, 5, 4, 3, 2])
  })

  test('a clock that was ahead does not keep the next one from being made', async () => {
    await backUpDaily(store, dataDir, now + 100 * dayMs)
    await backUpDaily(store, dataDir, now)
    expect(await listBackups(dataDir)).toHaveLength(2)
  })

  test('a clock that was ahead takes the place of one day only, and its copy is not the newest', async () => {
    for (let days = -6; days <= 0; days++) await backUpDaily(store, dataDir, now + days * dayMs)
    await backUpDaily(store, dataDir, now + 100 * dayMs)
    for (let hours = 1; hours <= 20; hours++) await backUpDaily(store, dataDir, now + hours * 3_600_000)
    const days = (await listBackups(dataDir)).map(({ at }) => Math.round((at - now) / dayMs))
    expect(days).toEqual([0, 0, 0, -1, -2, -3, -4])
  })

  test('what a crash left of one is cleared away by the next', async () => {
    await backUp(store, dataDir, now)
    const abandoned = await mkdtemp(join(backupFolder(dataDir), 'copying-'))
    for (const name of ['in-use.lock', 'service.db']) await writeFile(join(abandoned, name), '')
    // One that was not even locked.
    await mkdtemp(join(backupFolder(dataDir), 'copying-'))
    await backUp(store, dataDir, now + dayMs)
    expect(await readdir(backupFolder(dataDir))).toHaveLength(2)
  })

  test.each([
    ['when the next one is due', dayMs],
    ['when it is not', 1],
  ])('a damaged database is told %s, and never copied', async (_, later) => {
    await backUp(store, dataDir, now)
    await damageEnd()
    store = await openStore({ dataDir }, () => new Date(now).toISOString())
    await expect(backUpDaily(store, dataDir, now + later)).rejects.toThrow(DamagedDatabaseError)
    expect((await listBackups(dataDir)).map(({ at }) => at)).toEqual([now])
    expect(existsSync(join(backupFolder(dataDir), 'service.db'))).toBe(false)
  })
})
