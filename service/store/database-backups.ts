import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { codeOf } from './error-code.ts'
import { inStaging } from './staging.ts'
import type { Store } from './store.ts'
import { syncFolder } from './sync-folder.ts'

/** One copy of a SQLite database. */
export interface DatabaseBackup {
  file: string
  /** Milliseconds since the epoch. */
  at: number
}

/** The copy is damaged, and so is the database it was made from. */
export class DamagedDatabaseError extends Error {}

const kept = 7
const dayMs = 86_400_000
const suffix = '.db'

/** Where the copies of the database in a data folder are. */
export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

// No colons: Windows does not allow them in file names.
const nameOf = (at: number): string => `${new Date(at).toISOString().replaceAll(':', '.')}${suffix}`
const timeOf = (name: string): number => {
  const [day = '', time = ''] = name.slice(0, -suffix.length).split('T')
  return Date.parse(`${day}T${time.replace('.', ':').replace('.', ':')}`)
}

/** The copies of the database in a data folder, newest first. */
export const listBackups = async (dataDir: string): Promise<DatabaseBackup[]> => {
  const folder = backupFolder(dataDir)
  const names = await readdir(folder).catch(() => [])
  return names
    .map((name) => ({ file: join(folder, name), at: name.endsWith(suffix) ? timeOf(name) : Number.NaN }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => b.at - a.at)
}

/** Whether SQLite reports damage with this code. */
export const isDamageCode = (code: string | null): boolean => code !== null && /^SQLITE_(CORRUPT|NOTADB)/.test(code)

/** Whether SQLite finds damage in an open database. */
export const isDamaged = (database: Database.Database): boolean => {
  try {
    return database.pragma('quick_check(1)', { simple: true }) !== 'ok'
  } catch (error) {
    if (isDamageCode(codeOf(error))) return true
    throw error
  }
}

/** Whether the copy in `file` is whole. Makes it one file: SQLite copies the mark of a write-ahead log too. */
export const isWholeCopy = (file: string): boolean => {
  const copy = new Database(file)
  try {
    if (isDamaged(copy)) return false
    copy.pragma('journal_mode = DELETE')
    return true
  } finally {
    copy.close()
  }
}

/**
 * Copies a SQLite database into its data folder while it is in use, and keeps the last seven copies. The copy appears under its name
 * once it is checked and on disk. Copies that are dated after `at` are dated just before it. Throws DamagedDatabaseError when it is damaged; all
 * older copies are then kept.
 */
export const backUp = async (store: Store, dataDir: string, at: number): Promise<void> => {
  const { copyTo } = store
  if (copyTo === undefined) throw new Error('only a SQLite database is copied')
  const folder = backupFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // A wrong clock dated these. They are older than the new copy and must not be restored in its place.
  const ahead = (await listBackups(dataDir)).filter((backup) => backup.at > at)
  for (const [index, { file }] of ahead.entries()) await rename(file, join(folder, nameOf(at - 1 - index)))
  await inStaging(join(folder, 'copying-'), async (staging) => {
    const partial = join(staging, 'service.db')
    // SQLite would make it readable for others.
    await (await open(partial, constants.O_CREAT | constants.O_WRONLY, 0o600)).close()
    await copyTo(partial).catch((error: unknown) => {
      throw isDamageCode(codeOf(error)) ? new DamagedDatabaseError('The database is damaged.') : error
    })
    if (!isWholeCopy(partial)) throw new DamagedDatabaseError('The database is damaged.')
    const handle = await open(partial, 'r+')
    await handle.sync()
    await handle.close()
    await rename(partial, join(folder, nameOf(at)))
    // Before older copies are removed.
    await syncFolder(folder)
  })
  for (const old of (await listBackups(dataDir)).slice(kept)) await rm(old.file, { force: true })
}

/** Copies the database when its newest copy is a day old; else checks it. Throws DamagedDatabaseError. */
export const backUpDaily = async (store: Store, dataDir: string, now: number): Promise<void> => {
  const [newest] = await listBackups(dataDir)
  // A copy dated in the future comes from a wrong clock.
  if (newest === undefined || newest.at > now || now - newest.at >= dayMs) await backUp(store, dataDir, now)
  else if (store.isDamaged?.() === true) throw new DamagedDatabaseError('The database is damaged.')
}
