import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { errorCodes } from '../protocol/error-codes.ts'
import { sealedValueLimit } from '../protocol/limits.ts'
import type { VariableRecord } from '../protocol/records.ts'
import { sealedValueTooLarge } from '../protocol/sealed-value.ts'
import { noteLeft, readEnvironment } from './environments.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { lister, type Page, type PageQuery } from './page.ts'
import { notFound, Refusal, taken } from './refusal.ts'
import { andThen } from './soon.ts'
import type { Soon } from './soon.ts'
import type { Db } from './store.ts'
import { atNextCommit, newStamps } from './stamps.ts'
import { prepared } from './store.ts'
import type { VariableTable, VariableType } from './tables.ts'
import { bury } from './tombstones.ts'
import { bytesOf } from './weigh.ts'
import type { Write } from './write.ts'

export type VariableRow = Selectable<VariableTable>

export interface VariableFields {
  name: string
  value: string
  type: VariableType
  isSecret: boolean
}

/** A variable with the size of its value, and the value itself if it is small: 200 large ones would take too much memory. */
export type KnownVariable = Omit<VariableRow, 'value'> & { value: string | null; bytes: number }

/** Larger values are read one at a time. */
export const smallBytes = 16 * 1024

/** The columns of a known variable. */
export const knownColumns = [
  'workspace_id',
  'id',
  'environment_id',
  'name',
  'type',
  'is_secret',
  'seq',
  'ordinal',
  'created_at',
  'updated_at',
  'updated_by',
  sql<string | null>`case when ${bytesOf('value')} <= ${sql.lit(smallBytes)} then value end`.as('value'),
  bytesOf('value').as('bytes'),
] as const

/** The columns of a variable’s record. */
export const recordColumns = [
  'id',
  'name',
  'value',
  'type',
  'is_secret',
  'environment_id',
  'created_at',
  'updated_at',
  'updated_by',
  'seq',
] as const

export const variableRecord = (row: Pick<VariableRow, (typeof recordColumns)[number]>): VariableRecord => ({
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

const selectById = prepared<{ id: string }, KnownVariable>((db, arg) =>
  db.selectFrom('variables').select(knownColumns).where('workspace_id', '=', arg('workspace')).where('id', '=', arg('id')),
)
const selectWhole = prepared<{ id: string }, VariableRow>((db, arg) =>
  db.selectFrom('variables').selectAll().where('workspace_id', '=', arg('workspace')).where('id', '=', arg('id')),
)
const selectByPath = prepared<{ project: string; environment: string; name: string }, KnownVariable>((db, arg) =>
  db
    .selectFrom('variables')
    .select(knownColumns)
    .where('variables.workspace_id', '=', arg('workspace'))
    .where('environment_id', '=', (eb) =>
      eb
        .selectFrom('environments')
        .select('environments.id')
        .where('environments.workspace_id', '=', arg('workspace'))
        .where('project_id', '=', (inner) =>
          inner
            .selectFrom('projects')
            .select('projects.id')
            .where('projects.workspace_id', '=', arg('workspace'))
            .where('slug', '=', arg('project')),
        )
        .where('environments.slug', '=', arg('environment')),
    )
    .where('name', '=', arg('name')),
)
const selectIdByName = prepared<{ environmentId: string; name: string }, { id: string }>((db, arg) =>
  db
    .selectFrom('variables')
    .select('id')
    .where('workspace_id', '=', arg('workspace'))
    .where('environment_id', '=', arg('environmentId'))
    .where('name', '=', arg('name')),
)
const insertOne = prepared<Omit<VariableRow, 'workspace_id'>, unknown>((db, arg) =>
  db.insertInto('variables').values({
    workspace_id: arg('workspace'),
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
const updateOne = prepared<Omit<VariableRow, 'workspace_id'>, unknown>((db, arg) =>
  db
    .updateTable('variables')
    .set({
      environment_id: arg('environment_id'),
      name: arg('name'),
      value: arg('value'),
      type: arg('type'),
      is_secret: arg('is_secret'),
      seq: arg('seq'),
      updated_at: arg('updated_at'),
      updated_by: arg('updated_by'),
    })
    .where('workspace_id', '=', arg('workspace'))
    .where('id', '=', arg('id')),
)

const rowsAtOnce = 500

const missingVariable = async (db: Db, project: string, environment: string): Promise<never> => {
  await readEnvironment(db, project, environment)
  throw notFound('There is no variable with this name in the environment.')
}

const hasValue = (row: KnownVariable): row is KnownVariable & VariableRow => row.value !== null

/** The variable with its value: a large one is read once there is room for an answer that holds it. */
export const withValue = (db: Db, known: KnownVariable): Soon<VariableRow> => {
  if (hasValue(known)) return known
  return andThen(db.admit?.(known.bytes), () =>
    // All of it, as it is now: it may have changed while it waited.
    andThen(selectWhole(db, { id: known.id }), ([whole]) => {
      if (whole === undefined) throw notFound('There is no variable with this id.')
      return whole
    }),
  )
}

/** The variable at this path. Throws a 404 Refusal that says what is missing. */
export const readVariable = (db: Db, project: string, environment: string, name: string): Soon<KnownVariable> =>
  andThen(selectByPath(db, { project, environment, name }), ([row]) => row ?? missingVariable(db, project, environment))

/** The variable at this path with its value. Throws a 404 Refusal that says what is missing. */
export const readWhole = (db: Db, project: string, environment: string, name: string): Soon<VariableRow> =>
  andThen(readVariable(db, project, environment, name), (known) =>
    andThen(withValue(db, known), (row) =>
      // It was renamed or moved while it waited: read the variable that is at the path now.
      row.name === known.name && row.environment_id === known.environment_id ? row : readWhole(db, project, environment, name),
    ),
  )

const listOf = lister('variables', variableRecord, { under: 'environment_id', weighed: 'value' })

export const listVariables = async (db: Db, project: string, environment: string, query: PageQuery): Promise<Page<VariableRecord>> =>
  listOf(db, query, (await readEnvironment(db, project, environment)).id)

/** The variable with this id, or null. */
export const findVariable = async (db: Db, id: string): Promise<KnownVariable | null> => (await selectById(db, { id }))[0] ?? null

/** 409: the variable `holderId` of the environment has this name. */
export const nameTaken = (name: string, holderId: string): Refusal =>
  taken(`Another variable of the environment has the name "${name}".`, holderId)

/** Throws a 413 Refusal for a value above the limit. */
export const requireSize = (value: string): void => {
  if (sealedValueTooLarge(value)) {
    throw new Refusal(
      errorCodes.tooLarge,
      `A sealed value is larger than ${sealedValueLimit / 1024 / 1024} MiB. Store large files elsewhere.`,
    )
  }
}

/** The columns of a variable that its removal needs. */
export type RemovedRow = Pick<VariableRow, 'id' | 'environment_id' | 'name'>

/** Finds names and writes rows of variables: directly, or in a batch of many. */
export interface VariableRows {
  /** The id of the variable that has the name in the environment. */
  holderOf(environmentId: string, name: string): Soon<string | undefined>
  /** The row with its value. */
  read(row: KnownVariable): Soon<VariableRow>
  insert(row: VariableRow): Soon<unknown>
  /** Replaces `row` with `next`. */
  update(next: VariableRow, row: VariableRow): Soon<unknown>
  remove(row: RemovedRow): Soon<unknown>
}

/** Writes each row at once. */
export const singleRows = (write: Write): VariableRows => ({
  holderOf: (environmentId, name) => andThen(selectIdByName(write, { environmentId, name }), ([other]) => other?.id),
  read: (row) => withValue(write, row),
  insert: (row) => insertOne(write, row),
  update: async (next, row) => {
    await updateOne(write, next)
    if (next.environment_id !== row.environment_id) await noteLeft(write, [row.environment_id])
  },
  remove: (row) => removeVariables(write, [row]),
})

/** Removes variables, a tombstone for each. */
export const removeVariables = async (write: Write, rows: readonly Pick<VariableRow, 'id' | 'environment_id'>[]): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const some = ids.slice(start, start + rowsAtOnce)
    await write.kysely.deleteFrom('variables').where('workspace_id', '=', write.workspaceId).where('id', 'in', some).execute()
  }
  await bury(write, 'variable', ids)
  await noteLeft(write, [...new Set(rows.map(({ environment_id }) => environment_id))])
}

/** Inserts variables, at most as many as one request may hold. */
export const insertVariables = async (write: Write, rows: readonly VariableRow[]): Promise<void> => {
  if (rows.length > 0) await write.kysely.insertInto('variables').values(rows).execute()
}

/** A new row at the next commit, not yet written. */
const newRow = (write: Write, environmentId: string, { isSecret, ...fields }: VariableFields, id: string): VariableRow => ({
  ...newStamps(write),
  id,
  environment_id: environmentId,
  ...fields,
  is_secret: isSecret ? 1 : 0,
})

/** A change of a variable: its fields, and its environment. */
export type VariablePatch = { [K in keyof VariableFields]?: VariableFields[K] | undefined } & { environmentId?: string | undefined }

/** The row after `patch`; the same object when nothing differs. */
export const patched = (row: VariableRow, patch: VariablePatch): VariableRow => {
  const next = {
    ...row,
    environment_id: patch.environmentId ?? row.environment_id,
    name: patch.name ?? row.name,
    value: patch.value ?? row.value,
    type: patch.type ?? row.type,
    is_secret: patch.isSecret === undefined ? row.is_secret : patch.isSecret ? 1 : 0,
  }
  const same =
    next.environment_id === row.environment_id &&
    next.name === row.name &&
    next.value === row.value &&
    next.type === row.type &&
    next.is_secret === row.is_secret
  return same ? row : next
}

const requireFreeName = async (rows: VariableRows, environmentId: string, name: string): Promise<void> => {
  const holder = await rows.holderOf(environmentId, name)
  if (holder !== undefined) throw nameTaken(name, holder)
}

/**
 * Creates a variable in an environment known to exist. Type is string and isSecret false where the body says nothing; without an `id`
 * it gets a new one. 409 and 413 Refusals.
 */
export const createVariable = async (
  write: Write,
  environmentId: string,
  body: { id?: string; name: string; value: string; type?: VariableType | undefined; isSecret?: boolean | undefined },
  rows = singleRows(write),
): Promise<VariableRow> => {
  requireSize(body.value)
  await requireFreeName(rows, environmentId, body.name)
  write.use({ records: 1, bytes: body.value.length })
  const fields = { name: body.name, value: body.value, type: body.type ?? 'string', isSecret: body.isSecret ?? false }
  const row = newRow(write, environmentId, fields, body.id ?? uuid())
  await rows.insert(row)
  return row
}

/**
 * Changes the fields in `patch`, which may move the variable to another environment, known to exist; a patch without a difference
 * writes nothing. 409, 412 and 413 Refusals.
 */
export const updateVariable = async (
  write: Write,
  known: KnownVariable,
  patch: VariablePatch,
  ifMatch: IfMatch,
  rows = singleRows(write),
): Promise<VariableRow> => {
  requireMatch(ifMatch, known.seq)
  if (patch.value !== undefined) requireSize(patch.value)
  // A value that is replaced by one of another length isn't read: it differs for certain, and the answer has the new one.
  const isReplaced = patch.value !== undefined && patch.value.length !== known.bytes
  const row = isReplaced ? { ...known, value: '' } : await rows.read(known)
  const next = patched(row, patch)
  if (next === row) return row
  if (next.name !== row.name || next.environment_id !== row.environment_id) await requireFreeName(rows, next.environment_id, next.name)
  write.use({ bytes: next.value.length - known.bytes })
  const changed = atNextCommit(write, next)
  await rows.update(changed, row)
  return changed
}

/** Deletes a variable whose value has so many `bytes`. Throws a 412 Refusal when it was changed. */
export const deleteVariable = async (
  write: Write,
  row: RemovedRow & { seq: number; bytes: number },
  ifMatch: IfMatch,
  rows = singleRows(write),
): Promise<void> => {
  requireMatch(ifMatch, row.seq)
  write.use({ records: -1, bytes: -row.bytes })
  await rows.remove(row)
}

/** Removes the named variables. A name given twice counts once; unknown names come back in `notFound`, each once. */
export const deleteVariables = async (
  write: Write,
  environmentId: string,
  names: readonly string[],
): Promise<{ deleted: { id: string; name: string }[]; count: number; notFound: string[] }> => {
  const wanted = [...new Set(names)]
  const rows = await write.kysely
    .selectFrom('variables')
    .select(['id', 'name', 'environment_id', bytesOf('value').as('bytes')])
    .where('workspace_id', '=', write.workspaceId)
    .where('environment_id', '=', environmentId)
    .where('name', 'in', wanted.filter((name) => !name.includes('\0')).concat(''))
    .execute()
  const byName = new Map(rows.map((row) => [row.name, row]))
  const found = wanted.flatMap((name) => byName.get(name) ?? [])
  write.use({ records: -found.length, bytes: -found.reduce((sum, { bytes }) => sum + bytes, 0) })
  await removeVariables(write, found)
  const deleted = found.map(({ id, name }) => ({ id, name }))
  return { deleted, count: deleted.length, notFound: wanted.filter((name) => !byName.has(name)) }
}
