import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from './refusal.ts'

/**
 * The usage of a workspace, including deleted projects and environments that can be restored. Kept in its clock row, which every write
 * locks and changes anyway.
 */
export interface Usage {
  /** Projects, environments, variables and members. */
  records: number
  versions: number
  /** Sealed values, those of versions too, notes, and answers kept for an Idempotency-Key. */
  bytes: number
}

/** The most that one workspace may hold; null: no limit. */
export type Quotas = { readonly [K in keyof Usage]: number | null }

export const noQuotas: Quotas = { records: null, versions: null, bytes: null }

const inWords: { readonly [K in keyof Usage]: (most: number) => string } = {
  records: (most) => `${most.toLocaleString('en-US')} projects, environments, variables and members`,
  versions: (most) => `${most.toLocaleString('en-US')} versions`,
  bytes: (most) => `${(most / 1024 / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 })} MiB of values`,
}

const kinds = ['records', 'versions', 'bytes'] as const

/** `usage` plus `more`, which may be negative. Throws a 413 Refusal when a figure grows beyond its quota. */
export const grown = (usage: Usage, more: Partial<Usage>, quotas: Quotas): Usage => {
  const next = { ...usage }
  for (const kind of kinds) {
    const growth = more[kind] ?? 0
    next[kind] += growth
    const most = quotas[kind]
    if (growth <= 0 || most === null || next[kind] <= most) continue
    throw new Refusal(
      errorCodes.tooLarge,
      `The workspace is full: this service allows ${inWords[kind](most)}. Delete some, or ask whoever runs the service for more room.`,
    )
  }
  return next
}

/** `usage` minus `more`. */
export const without = (usage: Usage, more: Partial<Usage>): Usage => ({
  records: usage.records - (more.records ?? 0),
  versions: usage.versions - (more.versions ?? 0),
  bytes: usage.bytes - (more.bytes ?? 0),
})

const rowsOf = (...tables: string[]) =>
  sql.join(
    tables.map((table) => sql`(select count(*) from ${sql.table(table)} t where t.workspace_id = clock.workspace_id)`),
    sql` + `,
  )
const bytesOf = (...columns: [table: string, column: string][]) =>
  sql.join(
    columns.map(
      ([table, column]) =>
        sql`(select coalesce(sum(octet_length(${sql.ref(column)})), 0) from ${sql.table(table)} t where t.workspace_id = clock.workspace_id)`,
    ),
    sql` + `,
  )

const recordTables = ['projects', 'environments', 'variables']

/** Counts the usage of every workspace anew. */
export const countUsage = async (db: Kysely<never>): Promise<void> => {
  await sql`
    update clock set
      records = ${rowsOf(...recordTables, ...recordTables.map((name) => `archived_${name}`), 'members')},
      versions = ${rowsOf('versions', 'archived_versions')},
      bytes = ${bytesOf(
        ['variables', 'value'],
        ['archived_variables', 'value'],
        ['version_variables', 'value'],
        ['versions', 'note'],
        ['archived_versions', 'note'],
        ['answers', 'body'],
      )}
  `.execute(db)
}
