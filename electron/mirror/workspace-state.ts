import { reusable } from './reusable.ts'
import { build, type Tx } from './tx.ts'

/** What a workspace remembers between runs, in the table `meta`. */
export type StateKey =
  | 'feed-cursor'
  | 'last-synced-at'
  /** JSON of RestartNote: what changed here when the service went back to a backup; until the user has read it. */
  | 'restart'
  /** JSON of the rows of that note, as each page of the pull changed them. */
  | `restart-page-${number}`
  /** There while that note is being made: each page asks for it, and a note can be megabytes long. */
  | 'restarting'
  /** JSON of ServiceProfile. */
  | 'service-profile'
  /** JSON of RepairNote, until the user has read it. */
  | 'repair'
  /** There while the values of unsent changes come from a damaged file and were not opened yet. */
  | 'values-unchecked'
  /** How often others have changed rows: the newest revision of the mirror. */
  | 'rev'
  /** There while the user has paused sync. */
  | 'paused'
  /** When the deletion of this place, by its local id, was confirmed, in milliseconds since the epoch; there while its rows are being removed. */
  | `deleting-${string}`
  /** binding: the values of an open workspace are being bound, one after the other. bound: they all were. */
  | 'values'

const valueOf = reusable(({ key }: { key: StateKey }) => build.selectFrom('meta').select('value').where('key', '=', key))

export const getState = (tx: Tx, key: StateKey): string | null => tx.get(valueOf({ key }))?.value ?? null

/** Remembers a value; null forgets it. */
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
