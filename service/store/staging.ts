import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { codeOf } from './error-code.ts'

/** The file in a staging folder that its process keeps locked. Opening it any other way would drop the lock. */
const lockName = 'in-use.lock'

interface Lock {
  release(): void
}

/** Locks a file until `release`, or until this process ends, even by a crash. Null: another process has it. */
const lockFile = (file: string): Lock | null => {
  let database: Database.Database | undefined
  try {
    database = new Database(file, { timeout: 0 })
    // Nothing is written to it: a journal would only be one more file.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    const held = database
    return { release: () => void held.close() }
  } catch (error) {
    database?.close()
    if (codeOf(error) === 'SQLITE_BUSY') return null
    throw error
  }
}

/** Whether the process that locked a staging folder has ended. False where nothing tells. */
const isAbandoned = (folder: string): boolean => {
  const file = join(folder, lockName)
  if (!existsSync(file)) return false
  try {
    const lock = lockFile(file)
    lock?.release()
    return lock !== null
  } catch {
    return false
  }
}

/**
 * Removes the staging folders of this prefix whose process was killed. Never fails: a folder that cannot be removed stays.
 */
export const removeAbandoned = async (prefix: string): Promise<void> => {
  const names = await readdir(dirname(prefix)).catch(() => [])
  const folders = names.filter((name) => name.startsWith(basename(prefix))).map((name) => join(dirname(prefix), name))
  for (const folder of folders) {
    // An empty one was never locked. If its process is only about to lock it, that makes another one.
    await rmdir(folder).catch(() => undefined)
    if (isAbandoned(folder)) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Makes a folder and locks it. On a disk without locks the folder stays unlocked, and is not removed after a crash. */
const makeFolder = async (prefix: string): Promise<{ folder: string; lock: Lock | null }> => {
  for (;;) {
    const folder = await mkdtemp(prefix)
    const file = join(folder, lockName)
    try {
      const lock = lockFile(file)
      if (lock !== null && existsSync(file)) return { folder, lock }
      // Another process took it for abandoned before the lock was on it.
      lock?.release()
    } catch {
      if (existsSync(folder)) return { folder, lock: null }
    }
  }
}

/**
 * Runs `work` with a new folder for files that are not whole yet, and removes the folder afterwards. `prefix` is its path without the end
 * that makes it unique. Folders of the same prefix that killed processes have left are removed too.
 */
export const inStaging = async <T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> => {
  await removeAbandoned(prefix)
  const { folder, lock } = await makeFolder(prefix)
  try {
    return await work(folder)
  } finally {
    // Windows removes no open file.
    lock?.release()
    await rm(folder, { recursive: true, force: true })
  }
}
