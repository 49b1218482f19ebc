import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { restoreBackup, writeBackup } from '../store/backup.ts'
import { openAsIs } from '../store/open-store.ts'
import { withoutTimeout } from '../store/without-timeout.ts'
import { CommandError } from './exit-message.ts'
import type { Output } from './output.ts'
import { readOptions, storageOf, storageOptions } from './options.ts'
import { withStore } from './with-store.ts'

const backupUsage = 'Usage: npm run service -- backup --to FILE (--data DIR | --database-url-file FILE)'
const restoreUsage = 'Usage: npm run service -- restore --from FILE (--data DIR | --database-url-file FILE) [--replace]'

/** `backup`: writes everything to a file, while the service may be running. */
export const backup = async (args: readonly string[], output: Output): Promise<number> => {
  const { values } = readOptions(args, { ...storageOptions, to: { type: 'string' } }, backupUsage)
  const { to } = values
  if (to === undefined) throw new CommandError(`Set the file to write with --to.\n${backupUsage}`)
  if (existsSync(to)) throw new CommandError('This file already exists, and a backup never overwrites one. Choose another name.')
  await withStore(values, output, async (store) => {
    const rows = await writeBackup(store, to, new Date().toISOString())
    output.print({ file: to, rows })
  })
  return 0
}

/** `restore`: restores a backup. */
export const restore = async (args: readonly string[], output: Output): Promise<number> => {
  const { values } = readOptions(
    args,
    { ...storageOptions, from: { type: 'string' }, replace: { type: 'boolean', default: false } },
    restoreUsage,
  )
  if (values.from === undefined) throw new CommandError(`Set the backup to restore with --from.\n${restoreUsage}`)
  if (!existsSync(values.from)) throw new CommandError('This file doesn’t exist. Check --from.')
  const store = await openAsIs(storageOf(values))
  try {
    const rows = await restoreBackup(withoutTimeout(store), values.from, { replace: values.replace, now: Date.now(), randomBytes })
    output.print({ file: values.from, rows })
  } finally {
    await store.close()
  }
  return 0
}
