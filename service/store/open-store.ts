import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from './database-backups.ts'
import { makeFolder } from './make-folder.ts'
import { isUsed, migrate } from './migrate.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'
import { removeAbandoned } from './staging.ts'
import type { Store } from './store.ts'

/** Either a folder for a SQLite database or the URL of a PostgreSQL database. */
export type Storage = { dataDir: string } | { databaseUrl: string }

/** The SQLite file in a data folder. */
export const databaseFile = (dataDir: string): string => join(dataDir, 'service.db')

/** Whether a data folder has a database. */
export const hasDatabase = (dataDir: string): boolean => existsSync(databaseFile(dataDir))

/** Where `restore` builds the database of a data folder without one, but for the end that makes the name unique. */
export const restoringIn = (dataDir: string): string => join(dataDir, 'restoring-')

/** Opens the storage without migrating it. A folder is created when missing. What a killed `restore` has left in it is removed. */
export const openAsIs = async (storage: Storage): Promise<Store> => {
  if ('databaseUrl' in storage) return openPostgres(storage.databaseUrl)
  await makeFolder(storage.dataDir)
  await removeAbandoned(restoringIn(storage.dataDir))
  return openSqlite(databaseFile(storage.dataDir))
}

/**
 * Opens the storage and migrates it; a SQLite database with data is copied
 * first. Rejects with what the database says, or NewerDatabaseError.
 */
export const openStore = async (storage: Storage, now: () => string): Promise<Store> => migrated(await openAsIs(storage), storage, now)

/** Opens the storage like `openStore` if the service was started with it before. Null: it wasn't, and nothing is made in it. */
export const openUsedStore = async (storage: Storage, now: () => string): Promise<Store | null> => {
  if ('dataDir' in storage && !hasDatabase(storage.dataDir)) return null
  const store = await openAsIs(storage)
  const used = await isUsed(store).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  if (used) return migrated(store, storage, now)
  await store.close()
  return null
}

/** Brings an open store to the shape this code expects, or closes it. */
const migrated = async (store: Store, storage: Storage, now: () => string): Promise<Store> => {
  const keepCopy = async () => {
    if ('dataDir' in storage) await backUp(store, storage.dataDir, Date.parse(now()))
  }
  try {
    await migrate(store, { now, beforeFirst: keepCopy })
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}
