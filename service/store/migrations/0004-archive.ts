import { sql } from 'kysely'
import type { CreateTableBuilder } from 'kysely'
import type { Migration } from './migration.ts'

const archived = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
  table
    .addColumn('deletion_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('ordinal', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())

/** Where deleted projects and environments go, with everything in them, until they are restored or their time is over. */
export const archive: Migration = {
  number: 4,
  name: 'archive',
  async up(db) {
    const { schema } = db
    await schema
      .createTable('deletions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull().unique())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('deleted_at', 'text', (column) => column.notNull())
      .addColumn('deleted_by', 'text', (column) => column.notNull())
      .addColumn('environment_count', 'integer', (column) => column.notNull())
      .addColumn('variable_count', 'integer', (column) => column.notNull())
      .addColumn('version_count', 'integer', (column) => column.notNull())
      .execute()
    await archived(schema.createTable('archived_projects'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('icon', 'text', (column) => column.notNull())
      .execute()
    await archived(schema.createTable('archived_environments'))
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('left_seq', 'bigint', (column) => column.notNull())
      .execute()
    await archived(schema.createTable('archived_variables'))
      .addColumn('environment_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('is_secret', 'integer', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
    await archived(schema.createTable('archived_versions'))
      .addColumn('environment_id', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('variable_count', 'integer', (column) => column.notNull())
      .execute()
    for (const name of ['projects', 'environments', 'variables', 'versions'] as const) {
      await schema.createIndex(`archived_${name}_deletion`).on(`archived_${name}`).column('deletion_id').execute()
    }

    // What versions hold stays where it is when its version is archived, so it can refer to the live versions no longer. SQLite drops no
    // constraint: the table is made anew.
    await schema
      .createTable('version_variables_without_reference')
      .addColumn('version_id', 'text', (column) => column.notNull())
      .addColumn('ordinal', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('is_secret', 'integer', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('version_variables_place', ['version_id', 'ordinal'])
      .execute()
    await sql`
      insert into version_variables_without_reference (version_id, ordinal, name, type, is_secret, value)
      select version_id, ordinal, name, type, is_secret, value from version_variables
    `.execute(db)
    await schema.dropTable('version_variables').execute()
    await schema.alterTable('version_variables_without_reference').renameTo('version_variables').execute()
  },
}
