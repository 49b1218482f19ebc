import { build, type Tx } from './tx.ts'

/** What a workspace remembers between runs. */
export type MetaKey =
  | 'feed-cursor'
  | 'full-pull'
  | 'last-synced-at'
  /** Set while the server is known to have no such list. */
  | 'no-version-list'
  | 'no-member-list'
  | 'no-role-list'
  | 'no-lists'
  /** JSON of ServiceProfile. */
  | 'service-profile'
  /** Set once the server took several variables in one request and overwrote one that was to be new. */
  | 'one-at-a-time'
  /** JSON of RepairNote, until the user has read it. */
  | 'repair'
  /** There while the values of unsent changes come from a damaged file and were not opened yet. */
  | 'values-unchecked'
  /** How often others have changed rows: the newest revision of the mirror. */
  | 'rev'
  /** There while the user has paused sync. */
  | 'paused'

export const getMeta = (tx: Tx, key: MetaKey): string | null =>
  tx.get(build.selectFrom('meta').select('value').where('key', '=', key))?.value ?? null

/** Remembers a value; null forgets it. */
export function setMeta(tx: Tx, key: MetaKey, value: string | null): void {
  if (value === null) tx.run(build.deleteFrom('meta').where('key', '=', key))
  else
    tx.run(
      build
        .insertInto('meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value })),
    )
}
