import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { errorCodes } from '../protocol/error-codes.ts'
import { sealedValueLimit } from '../protocol/limits.ts'
import type { VariableRecord } from '../protocol/records.ts'
import { sealedValueTooLarge } from '../protocol/sealed-value.ts'
import { readEnvironment } from './environments.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { listPage } from './page.ts'
import type { Page } from './page.ts'
import { notFound, Refusal, taken } from './refusal.ts'
import { andThen } from './soon.ts'
import type { Soon } from './soon.ts'
import type { Db } from './store.ts'
import { countOf, prepared } from './store.ts'
import type { VariableTable, VariableType } from './tables.ts'
import { bury } from './tombstones.ts'
import type { Write } from './write.ts'

export type VariableRow = Selectable<VariableTable>

export interface VariableFields {
  name: string
  value: string
  type: VariableType
  isSecret: boolean
}

export const variableRecord = (row: VariableRow): VariableRecord => ({
  id: row.id,
  name: row.name,
  value: row.value,
  type: row.type,
  isSecret: row.is_secret === 1,
  environmentId: row.environment_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  etag: etagOf(row.seq),
})

const selectByPath = prepared<{ project: string; environment: string; name: string }, VariableRow>((db, arg) =>
  db
    .selectFrom('variables')
    .selectAll()
    .where('environment_id', '=', (eb) =>
      eb
        .selectFrom('environments')
        .select('environments.id')
        .where('project_id', '=', (inner) => inner.selectFrom('projects').select('projects.id').where('slug', '=', arg('project')))
        .where('environments.slug', '=', arg('environment')),
    )
    .where('name', '=', arg('name')),
)
const selectById = prepared<{ id: string }, VariableRow>((db, arg) => db.selectFrom('variables').selectAll().where('id', '=', arg('id')))
const selectIdByName = prepared<{ environmentId: string; name: string }, { id: string }>((db, arg) =>
  db.selectFrom('variables').select('id').where('environment_id', '=', arg('environmentId')).where('name', '=', arg('name')),
)
const selectPage = prepared<{ environmentId: string; from: number; count: number }, VariableRow>((db, arg) =>
  db
    .selectFrom('variables')
    .selectAll()
    .where('environment_id', '=', arg('environmentId'))
    .where('ordinal', '>', arg('from'))
    .orderBy('ordinal')
    .limit(countOf(arg('count'))),
)
const insertOne = prepared<VariableRow, unknown>((db, arg) =>
  db.insertInto('variables').values({
    id: arg('id'),
    environment_id: arg('environment_id'),
    name: arg('name'),
    value: arg('value'),
    type: arg('type'),
    is_secret: arg('is_secret'),
    seq: arg('seq'),
    ordinal: arg('ordinal'),
    created_at: arg('created_at'),
    updated_at: arg('updated_at'),
    updated_by: arg('updated_by'),
  }),
)
const updateOne = prepared<VariableRow, unknown>((db, arg) =>
  db
    .updateTable('variables')
    .set({
      name: arg('name'),
      value: arg('value'),
      type: arg('type'),
      is_secret: arg('is_secret'),
      seq: arg('seq'),
      updated_at: arg('updated_at'),
      updated_by: arg('updated_by'),
    })
    .where('id', '=', arg('id')),
)
const deleteOne = prepared<{ id: string }, unknown>((db, arg) => db.deleteFrom('variables').where('id', '=', arg('id')))

const missingVariable = async (db: Db, project: string, environment: string): Promise<never> => {
  await readEnvironment(db, project, environment)
  throw notFound('There is no variable with this name in the environment.')
}

/** The variable at this path. Throws a 404 Refusal that says what is missing. */
export const readVariable = (db: Db, project: string, environment: string, name: string): Soon<VariableRow> =>
  andThen(selectByPath(db, { project, environment, name }), ([row]) => row ?? missingVariable(db, project, environment))

export const listVariables = async (
  db: Db,
  project: string,
  environment: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<Page<VariableRecord>> => {
  const { id: environmentId } = await readEnvironment(db, project, environment)
  return listPage(
    query,
    (from, count) => selectPage(db, { environmentId, from, count }),
    variableRecord,
    (row) => row.value.length,
  )
}

/** 409: the environment has a variable of this name. */
export const nameTaken = (name: string): Refusal => taken(`Another variable of the environment has the name "${name}".`)

const requireFreeName = async (db: Db, environmentId: string, name: string): Promise<void> => {
  const [other] = await selectIdByName(db, { environmentId, name })
  if (other !== undefined) throw nameTaken(name)
}

/** Throws a 413 Refusal for a value above the limit. */
export const requireSize = (value: string): void => {
  if (sealedValueTooLarge(value)) {
    throw new Refusal(
      errorCodes.tooLarge,
      `A sealed value is larger than ${sealedValueLimit / 1024 / 1024} MiB. Store large files elsewhere.`,
    )
  }
}

/** Inserts a variable into an environment known to exist, its name known to be free. */
export const insertVariable = async (write: Write, environmentId: string, fields: VariableFields): Promise<VariableRow> => {
  const seq = write.nextSeq()
  const row: VariableRow = {
    id: uuid(),
    environment_id: environmentId,
    name: fields.name,
    value: fields.value,
    type: fields.type,
    is_secret: fields.isSecret ? 1 : 0,
    seq,
    ordinal: seq,
    created_at: write.at,
    updated_at: write.at,
    updated_by: write.by,
  }
  await insertOne(write, row)
  return row
}

/** What a row becomes under `patch`; the same row when nothing differs. */
export const patched = (row: VariableRow, patch: { [K in keyof VariableFields]?: VariableFields[K] | undefined }): VariableRow => {
  const next = {
    ...row,
    name: patch.name ?? row.name,
    value: patch.value ?? row.value,
    type: patch.type ?? row.type,
    is_secret: patch.isSecret === undefined ? row.is_secret : patch.isSecret ? 1 : 0,
  }
  const same = next.name === row.name && next.value === row.value && next.type === row.type && next.is_secret === row.is_secret
  return same ? row : next
}

/** Writes a changed row under a new commit. */
export const storeVariable = async (write: Write, next: VariableRow): Promise<VariableRow> => {
  const changed = { ...next, seq: write.nextSeq(), updated_at: write.at, updated_by: write.by }
  await updateOne(write, changed)
  return changed
}

/** Type is string and isSecret false where the body says nothing. 404, 409 and 413 Refusals. */
export const createVariable = async (
  write: Write,
  project: string,
  environment: string,
  body: { name: string; value: string; type?: VariableType | undefined; isSecret?: boolean | undefined },
): Promise<VariableRow> => {
  requireSize(body.value)
  const { id } = await readEnvironment(write, project, environment)
  await requireFreeName(write, id, body.name)
  return insertVariable(write, id, { name: body.name, value: body.value, type: body.type ?? 'string', isSecret: body.isSecret ?? false })
}

/** Changes what `patch` names; a patch that changes nothing writes nothing. 404, 409, 412 and 413 Refusals. */
export const updateVariable = async (
  write: Write,
  id: string,
  patch: { [K in keyof VariableFields]?: VariableFields[K] | undefined },
  ifMatch: IfMatch,
): Promise<VariableRow> => {
  const [row] = await selectById(write, { id })
  if (row === undefined) throw notFound('There is no variable with this id.')
  requireMatch(ifMatch, row.seq)
  if (patch.value !== undefined) requireSize(patch.value)
  const next = patched(row, patch)
  if (next === row) return row
  if (next.name !== row.name) await requireFreeName(write, row.environment_id, next.name)
  return storeVariable(write, next)
}

export const deleteVariable = async (
  write: Write,
  project: string,
  environment: string,
  name: string,
  ifMatch: IfMatch,
): Promise<VariableRow> => {
  const row = await readVariable(write, project, environment, name)
  requireMatch(ifMatch, row.seq)
  await deleteOne(write, { id: row.id })
  await bury(write, 'variable', [row.id])
  return row
}

/** Removes the named variables. A name given twice counts once; unknown names come back in `notFound`, each once. */
export const deleteVariables = async (
  write: Write,
  project: string,
  environment: string,
  names: readonly string[],
): Promise<{ deleted: { id: string; name: string }[]; count: number; notFound: string[] }> => {
  const { id: environmentId } = await readEnvironment(write, project, environment)
  const wanted = [...new Set(names)]
  const rows = await write.kysely
    .selectFrom('variables')
    .select(['id', 'name'])
    .where('environment_id', '=', environmentId)
    .where('name', 'in', wanted.filter((name) => !name.includes('\0')).concat(''))
    .execute()
  const idOf = new Map(rows.map((row) => [row.name, row.id]))
  const deleted = wanted.flatMap((name) => {
    const id = idOf.get(name)
    return id === undefined ? [] : [{ id, name }]
  })
  const ids = deleted.map(({ id }) => id)
  if (ids.length > 0) await write.kysely.deleteFrom('variables').where('id', 'in', ids).execute()
  await bury(write, 'variable', ids)
  return { deleted, count: deleted.length, notFound: wanted.filter((name) => !idOf.has(name)) }
}
