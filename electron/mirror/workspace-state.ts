import { reusable } from './reusable.ts'
import { build, type Tx } from './tx.ts'

export type UnfinishedKey = `unfinished-${string}-${number}`

/** The state that a workspace keeps between runs, in the table `meta`. */
export type StateKey =
  | 'feed-cursor'
  /** The history of the service that was last read; unset: it never said which. */
  | 'feed-history'
  | 'last-synced-at'
  /** The time from which the last trim counted ages, in milliseconds since the epoch. */
  | 'trim-clock'
  /** JSON of the head of a RestartNote (the rows that changed when the service was restored from a backup), until the user has read it. */
  | 'restart'
  /** JSON of the rows of that note, one entry per page of the pull. */
  | `restart-page-${number}`
  /** Set while that note is being written. Each page of a pull reads this instead of the note, which can be megabytes long. */
  | 'restarting'
  /** JSON of how many rows answers to changes have written since the last pull, and in how many pages they are. */
  | 'answered'
  /** JSON of those rows, as a RestartNote has them. */
  | `answered-page-${number}`
  /** JSON of ServiceProfile. */
  | 'service-profile'
  /** The name of the workspace as the service last said it; unset: it is the name at the time of connecting. */
  | 'name'
  /** JSON of the user's permissions, in the service's words; unset: it never sent them. */
  | 'permissions'
  /** The service's id of the member who the user is; unset if the service never sent it. */
  | 'member'
  /** JSON of RepairNote, until the user has read it. */
  | 'repair'
  /** JSON of InterruptedNote, until the user has read it. */
  | 'interrupted'
  /** Set while the values of unsent changes come from a damaged file and have not been checked. */
  | 'values-unchecked'
  /** The newest revision of the mirror: counts the changes by others. */
  | 'rev'
  /** Set while the user has paused sync. */
  | 'paused'
  /**
   * When the deletion of this row (local id) was confirmed, in milliseconds since the epoch. Set while the rows below it are being removed.
   */
  | `deleting-${string}`
  /**
   * The sealed draft of a page: the local id of an environment, project or the workspace, a slash, and the id of the page; of a draft that it took
   * over from a closed page, then a slash and a new id.
   */
  | `draft-${string}`
  /** JSON of the rows that a part of work in parts changed: see `keepPart`. */
  | UnfinishedKey
  /** The id of the workspace key that all of base was last verified with. */
  | 'key-id'
  /** binding: the values of an open workspace are being bound one by one. bound: all are. */
  | 'values'

const valueOf = reusable(({ key }: { key: StateKey }) => build.selectFrom('meta').select('value').where('key', '=', key))

export const getState = (tx: Tx, key: StateKey): string | null => tx.get(valueOf({ key }))?.value ?? null

/** Stores a value; null deletes it. */
export function setState(tx: Tx, key: StateKey, value: string | null): void {
  if (value === null) tx.run(build.deleteFrom('meta').where('key', '=', key))
  else
    tx.run(
      build
        .insertInto('meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value })),
    )
}

/** Returns the keys of the kept parts of work in parts. */
export const unfinishedKeys = (tx: Tx): UnfinishedKey[] =>
  tx
    .all(build.selectFrom('meta').select('key').where('key', '>', 'unfinished-').where('key', '<', 'unfinished.'))
    .map(({ key }) => key as UnfinishedKey)
