import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { VersionRecord } from '../protocol/records.ts'
import { readEnvironment } from './environments.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { listPage } from './page.ts'
import type { Page } from './page.ts'
import { notFound, taken } from './refusal.ts'
import type { Db } from './store.ts'
import { countOf, prepared } from './store.ts'
import type { VersionTable } from './tables.ts'
import { insertVariable, patched, removeVariables, storeVariable } from './variables.ts'
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

const selectById = prepared<{ id: string }, VersionRow>((db, arg) => db.selectFrom('versions').selectAll().where('id', '=', arg('id')))
const selectByLabel = prepared<{ environmentId: string; label: string }, { id: string }>((db, arg) =>
  db.selectFrom('versions').select('id').where('environment_id', '=', arg('environmentId')).where('label', '=', arg('label')),
)
const selectNumberedLabels = prepared<{ environmentId: string }, { label: string }>((db, arg) =>
  db.selectFrom('versions').select('label').where('environment_id', '=', arg('environmentId')).where('label', 'like', 'v%'),
)
const selectPage = prepared<{ environmentId: string; from: number; count: number }, VersionRow>((db, arg) =>
  db
    .selectFrom('versions')
    .selectAll()
    .where('environment_id', '=', arg('environmentId'))
    .where('ordinal', '>', arg('from'))
    .orderBy('ordinal')
    .limit(countOf(arg('count'))),
)

/** The version with this id, without its variables, or null. */
export const findVersion = async (db: Db, id: string): Promise<VersionRow | null> => {
  const [row] = await selectById(db, { id })
  return row ?? null
}

/** 404: nothing has this id. */
export const noVersion = () => notFound('There is no version with this id.')

/** The version with its variables in their order. Throws a 404 Refusal. */
export const readVersion = async (db: Db, id: string): Promise<{ row: VersionRow; variables: { name: string; value: string }[] }> => {
  // The variables first: a version deleted in between is then a 404 and never a version without variables.
  const variables = await db.kysely
    .selectFrom('version_variables')
    .select(['name', 'value'])
    .where('version_id', '=', id)
    .orderBy('ordinal')
    .execute()
  const [row] = await selectById(db, { id })
  if (row === undefined) throw noVersion()
  return { row, variables }
}

export const listVersions = async (
  db: Db,
  project: string,
  environment: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<Page<VersionRecord>> => {
  const { id: environmentId } = await readEnvironment(db, project, environment)
  return listPage(query, (from, count) => selectPage(db, { environmentId, from, count }), versionRecord)
}

const nextLabel = async (db: Db, environmentId: string): Promise<string> => {
  const rows = await selectNumberedLabels(db, { environmentId })
  const numbers = rows.flatMap(({ label }) => (/^v\d{1,9}$/.test(label) ? [Number(label.slice(1))] : []))
  return `v${numbers.reduce((a, b) => Math.max(a, b), 0) + 1}`
}

/** Saves what the environment holds now. */
const saveVersion = async (
  write: Write,
  environmentId: string,
  { id = uuid(), label, note }: { id?: string | undefined; label: string; note: string },
): Promise<VersionRow> => {
  const { kysely } = write
  const counted = await kysely
    .selectFrom('variables')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow()
  const seq = write.nextSeq()
  const row: VersionRow = {
    id,
    environment_id: environmentId,
    label,
    note,
    variable_count: counted.count,
    seq,
    ordinal: seq,
    created_at: write.at,
    updated_at: write.at,
    updated_by: write.by,
  }
  await kysely.insertInto('versions').values(row).execute()
  await kysely
    .insertInto('version_variables')
    .columns(['version_id', 'ordinal', 'name', 'value', 'type', 'is_secret'])
    .expression((eb) =>
      eb
        .selectFrom('variables')
        .select((s) => [s.cast<string>(s.val(row.id), 'text').as('version_id'), 'ordinal', 'name', 'value', 'type', 'is_secret'])
        .where('environment_id', '=', environmentId),
    )
    .execute()
  return row
}

/**
 * Saves what an environment known to exist holds. The label defaults to its next `v<number>`; without an `id` the version gets a new
 * one. Throws a 409 Refusal when the label is taken.
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

/**
 * Makes the environment hold exactly what the version does (names, stored bytes of values, types,
 * secret flags), first saving what is there as a new version. Variables that stay keep their ids.
 */
export const rollBack = async (
  write: Write,
  row: VersionRow,
  ifMatch: IfMatch,
): Promise<{ added: number; updated: number; removed: number }> => {
  const { kysely } = write
  requireMatch(ifMatch, row.seq)
  const environmentId = row.environment_id
  const note = `Before the rollback to ${row.label}`
  await saveVersion(write, environmentId, { label: await nextLabel(write, environmentId), note })

  const before = await kysely.selectFrom('variables').selectAll().where('environment_id', '=', environmentId).orderBy('ordinal').execute()
  const wanted = await kysely.selectFrom('version_variables').selectAll().where('version_id', '=', row.id).orderBy('ordinal').execute()
  const wantedNames = new Set(wanted.map(({ name }) => name))
  const gone = before.filter(({ name }) => !wantedNames.has(name))
  await removeVariables(write, gone)

  const byName = new Map(before.map((variable) => [variable.name, variable]))
  let added = 0
  let updated = 0
  for (const variable of wanted) {
    const fields = { name: variable.name, value: variable.value, type: variable.type, isSecret: variable.is_secret === 1 }
    const present = byName.get(variable.name)
    if (present === undefined) {
      await insertVariable(write, environmentId, fields)
      added++
      continue
    }
    const next = patched(present, fields)
    if (next === present) continue
    await storeVariable(write, next)
    updated++
  }
  return { added, updated, removed: gone.length }
}
