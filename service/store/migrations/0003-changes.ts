import type { Migration } from './migration.ts'

/** Columns for batches of changes: whether an id was deleted, and when a variable last left an environment. */
export const changes: Migration = {
  number: 3,
  name: 'changes',
  async up(db) {
    await db.schema.createIndex('tombstones_record').on('tombstones').column('id').execute()
    await db.schema
      .alterTable('environments')
      .addColumn('left_seq', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
