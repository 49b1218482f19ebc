import type { Migration } from './migration.ts'

/**
 * Each start of the service leaves a gap in the commit order. The clock has the newest one, this table all of them. A cursor inside a gap
 * is from a history that was undone by putting an older database back.
 */
export const runs: Migration = {
  number: 7,
  name: 'runs',
  async up({ schema }) {
    for (const name of ['gap_after', 'gap_before'])
      await schema
        .alterTable('clock')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    await schema
      .createTable('gaps')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('gap_after', 'bigint', (column) => column.notNull())
      .addColumn('gap_before', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('gaps_in_workspace', ['workspace_id', 'gap_after'] as never)
      .execute()
  },
}
