import { openUsedStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { withoutTimeout } from '../store/without-timeout.ts'
import { CommandError } from './exit-message.ts'
import { storageOf } from './options.ts'
import type { StorageValues } from './options.ts'

/**
 * Runs `work` on the store that the options name, migrated and without a timeout, and closes it. Storage that no
 * service was started with is a CommandError.
 */
export const withStore = async (values: StorageValues, work: (store: Store) => Promise<void>): Promise<void> => {
  const storage = storageOf(values)
  const store = await openUsedStore(storage, () => new Date().toISOString())
  if (store === null)
    throw new CommandError(
      'dataDir' in storage
        ? 'This data folder has no database. Check --data, or start the service there first.'
        : 'The service was never started with this database. Check the database URL, or start the service with it first.',
    )
  try {
    await work(withoutTimeout(store))
  } finally {
    await store.close()
  }
}
