import type { Migration } from './migration.ts'

/** The time from which what is deleted by age counts: one row, in milliseconds since the epoch. Not in backups. */
export const trimClock: Migration = {
  number: 8,
  name: 'trim clock',
  async up({ schema }) {
    await schema
      .createTable('trim_clock')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
