import { randomBytes } from 'node:crypto'
import { access, constants, rmdir, stat } from 'node:fs/promises'
import { checkBackup, restoreBackup, writeBackup } from '../store/backup.ts'
import type { CheckedBackup } from '../store/backup.ts'
import { makeFolder } from '../store/make-folder.ts'
import { moveNew } from '../store/move-new.ts'
import { databaseFile, hasDatabase, openAsIs, restoringIn } from '../store/open-store.ts'
import type { Storage } from '../store/open-store.ts'
import { inStaging } from '../store/staging.ts'
import { withoutTimeout } from '../store/without-timeout.ts'
import { CommandError } from './exit-message.ts'
import type { Output } from './output.ts'
import { readOptions, storageOf, storageOptions } from './options.ts'
import { untilStopped } from './until-stopped.ts'
import { withStore } from './with-store.ts'

const backupUsage = 'Usage: npm run service -- backup --to FILE (--data DIR | --database-url-file FILE)'
const restoreUsage = 'Usage: npm run service -- restore --from FILE (--data DIR | --database-url-file FILE) [--replace]'

/** `backup`: writes everything to a file, while the service may be running. */
export const backup = async (args: readonly string[], output: Output): Promise<number> => {
  const { values } = readOptions(args, { ...storageOptions, to: { type: 'string' } }, backupUsage, { words: false })
  const { to = '' } = values
  if (to === '') throw new CommandError(`Set the file to write with --to.\n${backupUsage}`)
  await withStore(values, async (store) => {
    const rows = await untilStopped((signal) => writeBackup(store, to, new Date().toISOString(), signal))
    output.print({ file: to, rows })
  })
  return 0
}

interface RestoreOptions {
  replace: boolean
  signal: AbortSignal
}

const restoreInPlace = async (storage: Storage, checked: CheckedBackup, options: RestoreOptions): Promise<number> => {
  const store = await openAsIs(storage)
  try {
    return await restoreBackup(withoutTimeout(store), checked, { ...options, now: Date.now(), randomBytes })
  } finally {
    await store.close()
  }
}

/** Restores into a folder without a database, which has one only when it is whole: a service would start with an empty one. */
const restoreAnew = async (dataDir: string, checked: CheckedBackup, options: RestoreOptions): Promise<number> => {
  const isNew = await makeFolder(dataDir)
  try {
    return await inStaging(restoringIn(dataDir), async (staging) => {
      const rows = await restoreInPlace({ dataDir: staging }, checked, options)
      await moveNew(databaseFile(staging), databaseFile(dataDir))
      return rows
    })
  } finally {
    // A folder with a database in it stays.
    if (isNew) await rmdir(dataDir).catch(() => undefined)
  }
}

const requireReadable = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => null)
  if (found === null) throw new CommandError('This file doesn’t exist. Check --from.')
  // It is read twice, which a pipe can't be.
  if (!found.isFile()) throw new CommandError('This isn’t a file. Check --from.')
  await access(file, constants.R_OK).catch(() => {
    throw new CommandError('This file can’t be read. Check who may read it.')
  })
}

/** `restore`: restores a backup. */
export const restore = async (args: readonly string[], output: Output): Promise<number> => {
  const { values } = readOptions(
    args,
    { ...storageOptions, from: { type: 'string' }, replace: { type: 'boolean', default: false } },
    restoreUsage,
    { words: false },
  )
  const { from = '', replace } = values
  if (from === '') throw new CommandError(`Set the backup to restore with --from.\n${restoreUsage}`)
  await requireReadable(from)
  const storage = storageOf(values)
  const rows = await untilStopped(async (signal) => {
    const checked = await checkBackup(from)
    return 'dataDir' in storage && !hasDatabase(storage.dataDir)
      ? restoreAnew(storage.dataDir, checked, { replace, signal })
      : restoreInPlace(storage, checked, { replace, signal })
  })
  output.print({ file: from, rows })
  return 0
}
