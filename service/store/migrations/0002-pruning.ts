import type { Migration } from './migration.ts'

/** Columns for pruning: when each tombstone was left (empty: before this was kept), and how far the feed has lost its tombstones. */
export const pruning: Migration = {
  number: 2,
  name: 'pruning',
  async up(db) {
    await db.schema
      .alterTable('tombstones')
      .addColumn('at', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('clock')
      .addColumn('pruned_to', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
