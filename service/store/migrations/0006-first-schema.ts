import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from './migration.ts'

type Table = CreateTableBuilder<string, string>

const tracked = (table: Table): Table =>
  table
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('ordinal', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())

const texts = (table: Table, ...names: string[]): Table =>
  names.reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table)

const refers = (table: Table, name: string, column: string, parent: string): Table =>
  table.addForeignKeyConstraint(name, ['workspace_id', column], parent, ['workspace_id', 'id'])

const variableColumns = (table: Table): Table =>
  texts(table, 'environment_id', 'name', 'type')
    .addColumn('is_secret', 'integer', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())

const versionColumns = (table: Table): Table =>
  texts(table, 'environment_id', 'label', 'note').addColumn('variable_count', 'integer', (column) => column.notNull())

const environmentColumns = (table: Table): Table =>
  texts(table, 'project_id', 'name', 'slug').addColumn('left_seq', 'bigint', (column) => column.notNull())

const archived = (table: Table): Table => tracked(texts(table, 'deletion_id', 'id'))

/**
 * Columns of each table but `workspace_id`, parents before children. `keys` finds the workspace and is known by its id alone. The rows of
 * `version_variables` stay when their version is archived, so they can't reference it.
 */
const tables: readonly { name: string; key: readonly string[]; columns: (table: Table) => Table }[] = [
  { name: 'projects', key: ['id'], columns: (table) => texts(tracked(texts(table, 'id')), 'name', 'slug', 'icon') },
  {
    name: 'environments',
    key: ['id'],
    columns: (table) => refers(environmentColumns(tracked(texts(table, 'id'))), 'environments_project', 'project_id', 'projects'),
  },
  {
    name: 'variables',
    key: ['id'],
    columns: (table) => refers(variableColumns(tracked(texts(table, 'id'))), 'variables_environment', 'environment_id', 'environments'),
  },
  {
    name: 'versions',
    key: ['id'],
    columns: (table) => refers(versionColumns(tracked(texts(table, 'id'))), 'versions_environment', 'environment_id', 'environments'),
  },
  {
    name: 'version_variables',
    key: ['version_id', 'ordinal'],
    columns: (table) =>
      texts(table, 'version_id', 'name', 'type')
        .addColumn('ordinal', 'bigint', (column) => column.notNull())
        .addColumn('is_secret', 'integer', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull()),
  },
  { name: 'members', key: ['id'], columns: (table) => texts(tracked(texts(table, 'id')), 'email', 'email_folded', 'status', 'role_id') },
  {
    name: 'keys',
    key: [],
    columns: (table) =>
      refers(
        texts(
          table.addColumn('id', 'text', (column) => column.primaryKey()),
          'member_id',
          'name',
          'hash',
          'created_at',
        )
          .addColumn('expires_at', 'text')
          .addColumn('revoked_at', 'text')
          .addColumn('last_used_at', 'text'),
        'keys_of_member',
        'member_id',
        'members',
      ),
  },
  {
    name: 'tombstones',
    key: ['seq'],
    columns: (table) => texts(table, 'resource', 'id', 'at').addColumn('seq', 'bigint', (column) => column.notNull()),
  },
  {
    name: 'deletions',
    key: ['id'],
    columns: (table) =>
      texts(table, 'id', 'resource', 'name', 'slug', 'deleted_at', 'deleted_by')
        .addColumn('seq', 'bigint', (column) => column.notNull())
        .addColumn('parent_id', 'text')
        .addColumn('environment_count', 'integer', (column) => column.notNull())
        .addColumn('variable_count', 'integer', (column) => column.notNull())
        .addColumn('version_count', 'integer', (column) => column.notNull()),
  },
  { name: 'archived_projects', key: ['id'], columns: (table) => texts(archived(table), 'name', 'slug', 'icon') },
  { name: 'archived_environments', key: ['id'], columns: (table) => environmentColumns(archived(table)) },
  { name: 'archived_variables', key: ['id'], columns: (table) => variableColumns(archived(table)) },
  { name: 'archived_versions', key: ['id'], columns: (table) => versionColumns(archived(table)) },
  {
    name: 'audit',
    key: ['id'],
    columns: (table) => texts(table, 'id', 'at', 'actor', 'key_name', 'action', 'resource', 'resource_id', 'detail', 'request_id'),
  },
  {
    name: 'answers',
    key: ['member_id', 'idempotency_key'],
    columns: (table) =>
      texts(table, 'member_id', 'idempotency_key', 'request_hash', 'body', 'created_at')
        .addColumn('status', 'integer', (column) => column.notNull())
        .addColumn('etag', 'text'),
  },
  {
    name: 'clock',
    key: [],
    columns: (table) =>
      texts(table, 'epoch')
        .addColumn('seq', 'bigint', (column) => column.notNull())
        .addColumn('pruned_to', 'bigint', (column) => column.notNull())
        // What the workspace holds, counted by every write.
        .addColumn('records', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('versions', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0)),
  },
]

/** What is unique in a workspace, and the orders in which its rows are read. */
const indexes: readonly { table: string; columns: readonly string[]; unique?: true }[] = [
  { table: 'projects', columns: ['slug'], unique: true },
  { table: 'projects', columns: ['ordinal'] },
  { table: 'projects', columns: ['seq'] },
  { table: 'environments', columns: ['project_id', 'slug'], unique: true },
  { table: 'environments', columns: ['project_id', 'ordinal'] },
  { table: 'environments', columns: ['seq'] },
  { table: 'variables', columns: ['environment_id', 'name'], unique: true },
  { table: 'variables', columns: ['environment_id', 'ordinal'] },
  { table: 'variables', columns: ['seq'] },
  { table: 'versions', columns: ['environment_id', 'label'], unique: true },
  { table: 'versions', columns: ['environment_id', 'ordinal'] },
  { table: 'versions', columns: ['seq'] },
  { table: 'members', columns: ['email_folded'], unique: true },
  { table: 'members', columns: ['ordinal'] },
  { table: 'members', columns: ['seq'] },
  { table: 'keys', columns: ['member_id'] },
  { table: 'tombstones', columns: ['id'] },
  { table: 'deletions', columns: ['seq'], unique: true },
  { table: 'archived_projects', columns: ['deletion_id'] },
  { table: 'archived_environments', columns: ['deletion_id'] },
  { table: 'archived_variables', columns: ['deletion_id'] },
  { table: 'archived_versions', columns: ['deletion_id'] },
]

const create = async ({ schema }: Kysely<never>, { name, key, columns }: (typeof tables)[number]): Promise<void> => {
  const isClock = name === 'clock'
  const started = schema
    .createTable(name)
    .addColumn('workspace_id', 'text', (column) => (isClock ? column.primaryKey() : column.notNull())) as unknown as Table
  const made = columns(started)
  await (key.length === 0 ? made : made.addPrimaryKeyConstraint(`${name}_in_workspace`, ['workspace_id', ...key] as never)).execute()
}

/**
 * The first schema. Many workspaces share one database: every table names the workspace of its rows, every key and index begins with it,
 * and each workspace has a clock of its own. It has the number that databases made before the first release already have, so that those
 * open unchanged.
 */
export const firstSchema: Migration = {
  number: 6,
  name: 'first-schema',
  async up(db) {
    const { schema } = db
    await texts(
      tracked(schema.createTable('workspaces').addColumn('id', 'text', (column) => column.primaryKey())),
      'name',
      'slug',
      'icon',
    ).execute()
    for (const table of tables) await create(db, table)
    for (const { table, columns, unique } of indexes) {
      const index = schema
        .createIndex(`${table}_by_${columns.join('_')}`)
        .on(table)
        .columns(['workspace_id', ...columns])
      await (unique === true ? index.unique() : index).execute()
    }
    await schema.createIndex('answers_by_age').on('answers').column('created_at').execute()
  },
}
