import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { errorCodes } from '../protocol/error-codes.ts'
import { pageDefault, versionBytes } from '../protocol/limits.ts'
import type { VersionRecord } from '../protocol/records.ts'
import { readEnvironment } from './environments.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { lister, parseCursor, readPage, type Page, type PageQuery } from './page.ts'
import { notFound, Refusal, taken } from './refusal.ts'
import type { Db } from './store.ts'
import { newStamps } from './stamps.ts'
import { countOf, finderById, prepared } from './store.ts'
import type { VersionTable, VersionVariableTable } from './tables.ts'
import { removeVariables } from './variables.ts'
import { bytesOf, weigher } from './weigh.ts'
import { withoutTimeout } from './without-timeout.ts'
import type { Write } from './write.ts'

export type VersionRow = Selectable<VersionTable>

export const versionRecord = (row: VersionRow): VersionRecord => ({
  id: row.id,
  label: row.label,
  note: row.note,
  variableCount: row.variable_count,
  environmentId: row.environment_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  etag: etagOf(row.seq),
})

const selectByLabel = prepared<{ environmentId: string; label: string }, { id: string }>((db, arg) =>
  db
    .selectFrom('versions')
    .select('id')
    .where('workspace_id', '=', arg('workspace'))
    .where('environment_id', '=', arg('environmentId'))
    .where('label', '=', arg('label')),
)
const selectNumberedLabels = prepared<{ environmentId: string }, { label: string }>((db, arg) =>
  db
    .selectFrom('versions')
    .select('label')
    .where('workspace_id', '=', arg('workspace'))
    .where('environment_id', '=', arg('environmentId'))
    .where('label', 'like', 'v%'),
)
interface VersionRange {
  id: string
  from: number
  count: number
}
const selectVariables = prepared<VersionRange, Pick<VersionVariableTable, 'ordinal' | 'name' | 'value'>>((db, arg) =>
  db
    .selectFrom('version_variables')
    .select(['ordinal', 'name', 'value'])
    .where('workspace_id', '=', arg('workspace'))
    .where('version_id', '=', arg('id'))
    .where('ordinal', '>', arg('from'))
    .orderBy('ordinal')
    .limit(countOf(arg('count'))),
)
const variablesWeigher = weigher<VersionRange>((db, arg) =>
  db
    .selectFrom('version_variables')
    .select(bytesOf('value').as('bytes'))
    .where('workspace_id', '=', arg('workspace'))
    .where('version_id', '=', arg('id'))
    .where('ordinal', '>', arg('from'))
    .orderBy('ordinal')
    .limit(countOf(arg('count'))),
)
const selectBytes = prepared<{ environmentId: string }, { bytes: number | null }>((db, arg) =>
  db
    .selectFrom('variables')
    .select((eb) => eb.fn.sum<number | null>(bytesOf('value')).as('bytes'))
    .where('workspace_id', '=', arg('workspace'))
    .where('environment_id', '=', arg('environmentId')),
)

/** The version with this id, without its variables, or null. */
export const findVersion = finderById('versions')

const tooLarge = (what: string, hint: string) =>
  new Refusal(errorCodes.tooLarge, `${what} holds more than ${versionBytes / 1024 / 1024} MiB of values. ${hint}`)

/** 404: no record has this id. */
export const noVersion = () => notFound('There is no version with this id.')

export interface VersionContents {
  row: VersionRow
  variables: { name: string; value: string }[]
  /** Where the next page begins; null: this was the last. */
  nextCursor: string | null
}

/** More than any version has, and the most that PostgreSQL accepts as a limit. */
const allRows = 2_000_000_000

/**
 * The version with its variables in their order: all of them, or a page of them where `limit` says so. Throws a 404 Refusal, and 413 where all
 * are too many for one answer.
 */
export const readVersion = async (
  db: Db,
  id: string,
  { cursor, limit }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<VersionContents> => {
  const from = parseCursor(cursor)
  const isWhole = cursor === undefined && limit === undefined
  if (isWhole) {
    const bytes = await variablesWeigher.sum(db, { id, from, count: allRows })
    if (bytes > versionBytes) throw tooLarge('This version', 'Read it in pages: add ?limit=1000.')
    await db.admit?.(bytes)
  }
  // The variables first: a version deleted in between is then a 404, not a version without variables.
  const { rows, more } = await readPage(
    db,
    from,
    isWhole ? allRows - 1 : (limit ?? pageDefault),
    (after, count) => selectVariables(db, { id, from: after, count }),
    isWhole
      ? undefined
      : {
          sum: (after, count) => variablesWeigher.sum(db, { id, from: after, count }),
          each: (after, count) => variablesWeigher.each(db, { id, from: after, count }),
        },
  )
  const row = await findVersion(db, id)
  if (row === null) throw noVersion()
  const last = rows.at(-1)
  return {
    row,
    variables: rows.map(({ name, value }) => ({ name, value })),
    nextCursor: more && last !== undefined ? String(last.ordinal) : null,
  }
}

const listOf = lister('versions', versionRecord, { under: 'environment_id', weighed: 'note' })

export const listVersions = async (db: Db, project: string, environment: string, query: PageQuery): Promise<Page<VersionRecord>> =>
  listOf(db, query, (await readEnvironment(db, project, environment)).id)

const mostNumber = 999_999_999

/** The label after the last numbered one. Where that number would be too large, the last gap below is taken: no label can use up the numbers. */
const nextLabel = async (db: Db, environmentId: string): Promise<string> => {
  const rows = await selectNumberedLabels(db, { environmentId })
  const used = new Set([0, ...rows.flatMap(({ label }) => (/^v\d{1,9}$/.test(label) ? [Number(label.slice(1))] : []))])
  const beforeGaps = [...used].filter((number) => number < mostNumber && !used.has(number + 1))
  return `v${beforeGaps.reduce((a, b) => Math.max(a, b)) + 1}`
}

/**
 * Saves the contents of the environment. `becomes`: its contents after the rollback that follows, if one does. Throws a
 * 413 Refusal when that is too much for a version or for the workspace.
 */
const saveVersion = async (
  write: Write,
  environmentId: string,
  { id = uuid(), label, note }: { id?: string | undefined; label: string; note: string },
  becomes?: { records: number; bytes: number },
): Promise<VersionRow> => {
  const { kysely } = withoutTimeout(write)
  const [held] = await selectBytes(write, { environmentId })
  const bytes = held?.bytes ?? 0
  if (bytes > versionBytes)
    throw tooLarge('The environment', 'It cannot be saved as a version. Keep large files elsewhere, or split it into several environments.')
  const counted = await kysely
    .selectFrom('variables')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', write.workspaceId)
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow()
  const change = { records: (becomes?.records ?? counted.count) - counted.count, bytes: (becomes?.bytes ?? bytes) - bytes }
  write.use({ versions: 1, records: change.records, bytes: bytes + Buffer.byteLength(note) + change.bytes })
  const row: VersionRow = {
    ...newStamps(write),
    id,
    environment_id: environmentId,
    label,
    note,
    variable_count: counted.count,
  }
  await kysely.insertInto('versions').values(row).execute()
  await kysely
    .insertInto('version_variables')
    .columns(['workspace_id', 'version_id', 'ordinal', 'name', 'value', 'type', 'is_secret'])
    .expression((eb) =>
      eb
        .selectFrom('variables')
        .select((s) => [
          'workspace_id',
          s.cast<string>(s.val(row.id), 'text').as('version_id'),
          'ordinal',
          'name',
          'value',
          'type',
          'is_secret',
        ])
        .where('workspace_id', '=', write.workspaceId)
        .where('environment_id', '=', environmentId),
    )
    .execute()
  return row
}

/**
 * Saves the contents of an environment known to exist. The label defaults to its next `v<number>`; without an `id` the version gets a new
 * one. Throws a 409 Refusal when the label is taken, 413 when the contents exceed the limit.
 */
export const createVersion = async (
  write: Write,
  environmentId: string,
  body: { id?: string; label?: string | undefined; note?: string | undefined },
): Promise<VersionRow> => {
  const label = body.label ?? (await nextLabel(write, environmentId))
  const [other] = await selectByLabel(write, { environmentId, label })
  if (other !== undefined) throw taken(`Another version of the environment has the label "${label}".`, other.id)
  return saveVersion(write, environmentId, { id: body.id, label, note: body.note ?? '' })
}

interface FromVersion {
  versionId: string
  ordinal: number
  id: string
  seq: number
  at: string
  by: string
}
const insertFromVersion = prepared<FromVersion & { environmentId: string }, unknown>((db, arg) =>
  db
    .insertInto('variables')
    .columns([
      'workspace_id',
      'id',
      'environment_id',
      'seq',
      'ordinal',
      'created_at',
      'updated_at',
      'updated_by',
      'name',
      'value',
      'type',
      'is_secret',
    ])
    .expression((eb) =>
      eb
        .selectFrom('version_variables')
        .select([
          'workspace_id',
          sql<string>`cast(${arg('id')} as text)`.as('id'),
          sql<string>`cast(${arg('environmentId')} as text)`.as('environment_id'),
          sql<number>`cast(${arg('seq')} as bigint)`.as('seq'),
          sql<number>`cast(${arg('seq')} as bigint)`.as('ordinal'),
          sql<string>`cast(${arg('at')} as text)`.as('created_at'),
          sql<string>`cast(${arg('at')} as text)`.as('updated_at'),
          sql<string>`cast(${arg('by')} as text)`.as('updated_by'),
          'name',
          'value',
          'type',
          'is_secret',
        ])
        .where('workspace_id', '=', arg('workspace'))
        .where('version_id', '=', arg('versionId'))
        .where('version_variables.ordinal', '=', arg('ordinal')),
    ),
)
const updateFromVersion = prepared<FromVersion, unknown>((db, arg) =>
  db
    .updateTable('variables')
    .from('version_variables as w')
    .set((eb) => ({
      value: eb.ref('w.value'),
      type: eb.ref('w.type'),
      is_secret: eb.ref('w.is_secret'),
      seq: arg('seq'),
      updated_at: arg('at'),
      updated_by: arg('by'),
    }))
    .where('w.workspace_id', '=', arg('workspace'))
    .where('w.version_id', '=', arg('versionId'))
    .where('w.ordinal', '=', arg('ordinal'))
    .where('variables.workspace_id', '=', arg('workspace'))
    .where('variables.id', '=', arg('id')),
)

/**
 * Makes the environment hold exactly what the version does (names, stored bytes of values, types,
 * secret flags), first saving its current contents as a new version. Variables that remain keep their ids.
 */
export const rollBack = async (
  write: Write,
  row: VersionRow,
  ifMatch: IfMatch,
): Promise<{ added: number; updated: number; removed: number }> => {
  const { kysely } = withoutTimeout(write)
  requireMatch(ifMatch, row.seq)
  const environmentId = row.environment_id
  const note = `Before the rollback to ${row.label}`
  const becomes = { records: row.variable_count, bytes: await variablesWeigher.sum(write, { id: row.id, from: 0, count: allRows }) }
  await saveVersion(write, environmentId, { label: await nextLabel(write, environmentId), note }, becomes)

  // The database compares the values: none is read here.
  const surplus = await kysely
    .selectFrom('variables')
    .select(['id', 'environment_id'])
    .where('workspace_id', '=', write.workspaceId)
    .where('environment_id', '=', environmentId)
    .where('name', 'not in', (eb) =>
      eb
        .selectFrom('version_variables as w')
        .select('w.name')
        .where('w.workspace_id', '=', write.workspaceId)
        .where('w.version_id', '=', row.id),
    )
    .orderBy('ordinal')
    .execute()
  await removeVariables(write, surplus)

  const wanted = await kysely
    .selectFrom('version_variables as w')
    .leftJoin('variables as v', (join) =>
      join.on('v.workspace_id', '=', write.workspaceId).on('v.environment_id', '=', environmentId).onRef('v.name', '=', 'w.name'),
    )
    .select(['w.ordinal', 'v.id'])
    .where('w.workspace_id', '=', write.workspaceId)
    .where('w.version_id', '=', row.id)
    .where((eb) =>
      eb.or([
        eb('v.id', 'is', null),
        eb('v.value', '!=', eb.ref('w.value')),
        eb('v.type', '!=', eb.ref('w.type')),
        eb('v.is_secret', '!=', eb.ref('w.is_secret')),
      ]),
    )
    .orderBy('w.ordinal')
    .execute()
  let added = 0
  for (const { ordinal, id } of wanted) {
    const seq = write.nextSeq()
    const at = { versionId: row.id, ordinal, seq, at: write.at, by: write.by }
    if (id === null) {
      await insertFromVersion(write, { ...at, id: uuid(), environmentId })
      added++
    } else await updateFromVersion(write, { ...at, id })
  }
  const updated = wanted.length - added
  return { added, updated, removed: surplus.length }
}
