import { sql } from 'kysely'
import type { RawBuilder, Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { errorCodes } from '../protocol/error-codes.ts'
import { pageDefault, versionBytes } from '../protocol/limits.ts'
import type { VersionRecord } from '../protocol/records.ts'
import { noteLeft, readEnvironment } from './environments.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { lister, parseCursor, readPage, type Page, type PageQuery } from './page.ts'
import { notFound, Refusal, taken } from './refusal.ts'
import type { Db } from './store.ts'
import { newStamps } from './stamps.ts'
import { countOf, finderById, prepared } from './store.ts'
import type { VersionTable, VersionVariableTable } from './tables.ts'
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
/** How much of variables there is. The sums are null where there are none. */
interface Weight {
  count: number
  names: number | null
  values: number | null
}
const weightColumns = [
  sql<number>`count(*)`.as('count'),
  sql<number | null>`sum(${bytesOf('name')})`.as('names'),
  sql<number | null>`sum(${bytesOf('value')})`.as('values'),
] as const
const selectWeight = prepared<{ id: string }, Weight>((db, arg) =>
  db.selectFrom('version_variables').select(weightColumns).where('workspace_id', '=', arg('workspace')).where('version_id', '=', arg('id')),
)
const selectEnvironmentWeight = prepared<{ environmentId: string }, Weight>((db, arg) =>
  db
    .selectFrom('variables')
    .select(weightColumns)
    .where('workspace_id', '=', arg('workspace'))
    .where('environment_id', '=', arg('environmentId')),
)
const none: Weight = { count: 0, names: null, values: null }
const textBytes = ({ names, values }: Weight): number => (names ?? 0) + (values ?? 0)

/** What an answer holds of each variable besides its name and value: a row, a record, and the JSON around them. */
const variableBytes = 256

/** The version with this id, without its variables, or null. */
export const findVersion = finderById('versions')

const tooLarge = (what: string, hint: string) =>
  new Refusal(errorCodes.tooLarge, `${what} holds more than ${versionBytes / 1024 / 1024} MiB of names and values. ${hint}`)

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
    const [weight = none] = await selectWeight(db, { id })
    if (textBytes(weight) > versionBytes) throw tooLarge('This version', 'Read it in pages: add ?limit=1000.')
    await db.admit?.(textBytes(weight) + weight.count * variableBytes)
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

/**
 * The label after the last numbered one. Where that number would be too large, the last gap below is taken: no label can use up the
 * numbers.
 */
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
  const [held = none] = await selectEnvironmentWeight(write, { environmentId })
  const bytes = held.values ?? 0
  if (textBytes(held) > versionBytes)
    throw tooLarge('The environment', 'It cannot be saved as a version. Keep large files elsewhere, or split it into several environments.')
  const change = { records: (becomes?.records ?? held.count) - held.count, bytes: (becomes?.bytes ?? bytes) - bytes }
  write.use({ versions: 1, records: change.records, bytes: bytes + Buffer.byteLength(note) + change.bytes })
  const row: VersionRow = {
    ...newStamps(write),
    id,
    environment_id: environmentId,
    label,
    note,
    variable_count: held.count,
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

/** One version and the environment that becomes like it, as conditions on their rows. */
interface Rollback {
  version: RawBuilder<unknown>
  environment: RawBuilder<unknown>
}

/** Conditions on a column that divide `rows`, which are at most `most`, into slices in its order: each is enough for one statement. */
const slicesOf = async (
  { kysely, rowsInTurn = Number.POSITIVE_INFINITY }: Write,
  column: 'ordinal' | 'name',
  rows: RawBuilder<unknown>,
  most: number,
): Promise<RawBuilder<unknown>[]> => {
  if (most <= rowsInTurn) return [sql`true`]
  const value = sql.ref(column)
  const lasts = await sql<{ last: unknown }>`
    select last from (select ${value} as last, row_number() over (order by ${value}) as number from ${rows} as sliced) as numbered
    where number % ${sql.lit(rowsInTurn)} = 0 order by number
  `.execute(kysely)
  const ends = lasts.rows.map(({ last }) => last)
  return [...ends, null].map((end, index) => {
    const above = index === 0 ? sql`true` : sql`${value} > ${ends[index - 1]}`
    return end === null ? above : sql`${above} and ${value} <= ${end}`
  })
}

/** The names that `some` has and `others` hasn't. */
const namesOnlyIn = (some: RawBuilder<unknown>, others: RawBuilder<unknown>) =>
  sql`(select name from ${some} except select name from ${others})`

/**
 * Runs a statement in which `seq` gives each row that it writes the next number in the commit order, by `ordinal`. Returns how many there
 * were.
 */
const writeNumbered = async (write: Write, statement: (seq: RawBuilder<number>) => RawBuilder<unknown>): Promise<number> => {
  const before = write.reserveSeqs(0)
  const seq = sql<number>`cast(${before} as bigint) + row_number() over (order by ordinal)`
  const count = Number((await statement(seq).execute(write.kysely)).numAffectedRows)
  write.reserveSeqs(count)
  return count
}

/** Removes the variables that the version hasn't, a tombstone for each. Returns their number. */
const removeSurplus = async (write: Write, { version, environment }: Rollback, most: number): Promise<number> => {
  const surplusNames = (slice: RawBuilder<unknown>) =>
    namesOnlyIn(sql`variables where ${environment} and ${slice}`, sql`version_variables where ${version} and ${slice}`)
  let removed = 0
  for (const slice of await slicesOf(write, 'name', surplusNames(sql`true`), most)) {
    const surplus = sql`${environment} and name in ${surplusNames(slice)}`
    removed += await writeNumbered(
      write,
      (seq) => sql`
        insert into tombstones (workspace_id, seq, resource, id, at)
        select workspace_id, ${seq}, 'variable', id, cast(${write.at} as text) from variables where ${surplus}
      `,
    )
    await sql`delete from variables where ${surplus}`.execute(write.kysely)
  }
  return removed
}

/** Gives the variables that differ from this slice of the version its values. Returns their number. */
const updateChanged = (write: Write, { version, environment }: Rollback, slice: RawBuilder<unknown>): Promise<number> =>
  writeNumbered(
    write,
    (seq) => sql`
      update variables set value = changed.value, type = changed.type, is_secret = changed.is_secret, seq = changed.seq,
        updated_at = ${write.at}, updated_by = ${write.by}
      from (
        select v.id, w.value, w.type, w.is_secret, ${seq} as seq
        from (select ordinal, name, value, type, is_secret from version_variables where ${version} and ${slice}) w
        join (select id, name, value, type, is_secret from variables where ${environment}) v on v.name = w.name
        where v.value != w.value or v.type != w.type or v.is_secret != w.is_secret
      ) changed
      where variables.workspace_id = ${write.workspaceId} and variables.id = changed.id
    `,
  )

const suffixes = sql.lit(1_000_000_000_000)

/** Adds the variables that only this slice of the version has. Returns their number. */
const addMissing = (
  write: Write,
  environmentId: string,
  { version, environment }: Rollback,
  slice: RawBuilder<unknown>,
): Promise<number> => {
  // Their ids are UUIDs that end with 12 digits of the number in the commit order, which no two variables share.
  const prefix = uuid().slice(0, -12)
  const text = (value: string) => sql`cast(${value} as text)`
  return writeNumbered(
    write,
    (seq) => sql`
      insert into variables (workspace_id, id, environment_id, seq, ordinal, created_at, updated_at, updated_by, name, value, type, is_secret)
      select workspace_id, ${text(prefix)} || substr(cast(${suffixes} + (${seq}) % ${suffixes} as text), 2), ${text(environmentId)}, ${seq}, ${seq},
        ${text(write.at)}, ${text(write.at)}, ${text(write.by)}, name, value, type, is_secret
      from (select * from version_variables where ${version} and ${slice}) missing
      where not exists (select 1 from variables where ${environment} and variables.name = missing.name)
    `,
  )
}

/**
 * Makes the environment hold exactly what the version does (names, stored bytes of values, types,
 * secret flags), first saving its current contents as a new version. Variables that remain keep their ids. Each step is one statement, or on
 * SQLite one for some thousand variables, and reads no value here.
 */
export const rollBack = async (
  write: Write,
  row: VersionRow,
  ifMatch: IfMatch,
): Promise<{ added: number; updated: number; removed: number }> => {
  requireMatch(ifMatch, row.seq)
  const environmentId = row.environment_id
  const note = `Before the rollback to ${row.label}`
  const [target = none] = await selectWeight(write, { id: row.id })
  const becomes = { records: row.variable_count, bytes: target.values ?? 0 }
  const saved = await saveVersion(write, environmentId, { label: await nextLabel(write, environmentId), note }, becomes)
  const patient = withoutTimeout(write)
  const rollback: Rollback = {
    version: sql`workspace_id = ${write.workspaceId} and version_id = ${row.id}`,
    environment: sql`workspace_id = ${write.workspaceId} and environment_id = ${environmentId}`,
  }
  const { joinMany = (work) => work() } = write
  return joinMany(async () => {
    const removed = await removeSurplus(patient, rollback, saved.variable_count)
    if (removed > 0) await noteLeft(write, [environmentId])
    let updated = 0
    let added = 0
    const ordinals = sql`(select ordinal from version_variables where ${rollback.version})`
    const slices = await slicesOf(patient, 'ordinal', ordinals, row.variable_count)
    for (const slice of slices) updated += await updateChanged(patient, rollback, slice)
    for (const slice of slices) added += await addMissing(patient, environmentId, rollback, slice)
    return { added, updated, removed }
  })
}
