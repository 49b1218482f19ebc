import { sql } from 'kysely'
import type { CreateTableBuilder } from 'kysely'
import type { Migration } from './migration.ts'

const tracked = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
  table
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('ordinal', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())

/** Everything of the first release. */
export const tables: Migration = {
  number: 1,
  name: 'tables',
  async up(db) {
    const { schema } = db
    await schema
      .createTable('clock')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .execute()

    for (const name of ['workspaces', 'projects'] as const) {
      await tracked(schema.createTable(name).addColumn('id', 'text', (column) => column.primaryKey()))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('slug', 'text', (column) => column.notNull().unique())
        .addColumn('icon', 'text', (column) => column.notNull())
        .execute()
    }

    await tracked(schema.createTable('environments').addColumn('id', 'text', (column) => column.primaryKey()))
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addUniqueConstraint('environments_slug', ['project_id', 'slug'])
      .execute()

    await tracked(schema.createTable('variables').addColumn('id', 'text', (column) => column.primaryKey()))
      .addColumn('environment_id', 'text', (column) => column.notNull().references('environments.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('is_secret', 'integer', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addUniqueConstraint('variables_name', ['environment_id', 'name'])
      .execute()

    await tracked(schema.createTable('versions').addColumn('id', 'text', (column) => column.primaryKey()))
      .addColumn('environment_id', 'text', (column) => column.notNull().references('environments.id'))
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('variable_count', 'integer', (column) => column.notNull())
      .addUniqueConstraint('versions_label', ['environment_id', 'label'])
      .execute()

    await schema
      .createTable('version_variables')
      .addColumn('version_id', 'text', (column) => column.notNull().references('versions.id'))
      .addColumn('ordinal', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('is_secret', 'integer', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('version_variables_key', ['version_id', 'ordinal'])
      .execute()

    await tracked(schema.createTable('members').addColumn('id', 'text', (column) => column.primaryKey()))
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_folded', 'text', (column) => column.notNull().unique())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('role_id', 'text', (column) => column.notNull())
      .execute()

    await schema
      .createTable('keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('member_id', 'text', (column) => column.notNull().references('members.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('revoked_at', 'text')
      .addColumn('last_used_at', 'text')
      .execute()
    await schema.createIndex('keys_member').on('keys').column('member_id').execute()

    await schema
      .createTable('tombstones')
      .addColumn('seq', 'bigint', (column) => column.primaryKey())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .execute()

    await schema
      .createTable('audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('key_name', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('resource_id', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .execute()

    await schema
      .createTable('answers')
      .addColumn('member_id', 'text', (column) => column.notNull())
      .addColumn('idempotency_key', 'text', (column) => column.notNull())
      .addColumn('request_hash', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('etag', 'text')
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('answers_key', ['member_id', 'idempotency_key'])
      .execute()
    await schema.createIndex('answers_age').on('answers').column('created_at').execute()

    for (const name of ['workspaces', 'projects', 'environments', 'variables', 'versions', 'members'] as const) {
      await schema.createIndex(`${name}_seq`).on(name).column('seq').execute()
    }
    await schema.createIndex('environments_order').on('environments').columns(['project_id', 'ordinal']).execute()
    await schema.createIndex('variables_order').on('variables').columns(['environment_id', 'ordinal']).execute()
    await schema.createIndex('versions_order').on('versions').columns(['environment_id', 'ordinal']).execute()

    await sql`insert into clock (id, seq, epoch) values (1, 0, '')`.execute(db)
  },
}
