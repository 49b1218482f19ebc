import { openStore, storageExists } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { withoutTimeout } from '../store/without-timeout.ts'
import { CommandError } from './exit-message.ts'
import { storageOf } from './options.ts'
import type { StorageValues } from './options.ts'

/**
 * Runs `work` on the store that the options name, migrated and without a timeout, and closes it. A data folder without a database is a
 * CommandError.
 */
export const withStore = async (values: StorageValues, work: (store: Store) => Promise<void>): Promise<void> => {
  const storage = storageOf(values)
  if (!storageExists(storage)) throw new CommandError('This data folder has no database. Check --data, or start the service there first.')
  const store = await openStore(storage, () => new Date().toISOString())
  try {
    await work(withoutTimeout(store))
  } finally {
    await store.close()
  }
}
