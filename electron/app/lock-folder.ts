import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { AppError } from '../bridge/app-error.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import { diskError } from './settings/disk-error.ts'

export interface FolderLock {
  release(): void
}

/** Returns the path of the lock file. Never open it elsewhere: closing any handle of it drops the lock of this process. */
export const lockFileOf = (folder: string): string => join(folder, 'holdfast.lock')

/**
 * Locks `folder` for this process by an exclusive transaction on `holdfast.lock`, until `release`. The system drops the lock when the
 * process ends, even by a crash, so it is never stale. Errors: `folder-in-use` (another Holdfast has it), `folder-read-only`, `disk-full`.
 */
export const lockFolder = (folder: string): Result<FolderLock, AppError> => {
  let database: Database.Database | null = null
  try {
    database = new Database(lockFileOf(folder), { timeout: 0 })
    // Nothing is written to it, so a journal file would only be a second file to explain.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    const held = database
    return ok({ release: () => void held.close() })
  } catch (error) {
    database?.close()
    const known = diskError(error, folder)
    if (known === null) throw error
    if (known.kind !== 'folder-in-use') return err(known)
    return err({ ...known, message: `Another Holdfast is already using ${folder}. Switch to it, or close it and start again.` })
  }
}
