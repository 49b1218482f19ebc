import type { AnyRecord, Change, ChangeAnswer } from '../protocol/changes.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import { bodyLimit } from '../protocol/limits.ts'
import { roleMay } from '../protocol/roles.ts'
import type { Permission, RoleId } from '../protocol/roles.ts'
import type { AuditEvent } from './audit.ts'
import { createEnvironment, deleteEnvironment, environmentRecord, findEnvironment, updateEnvironment } from './environments.ts'
import * as events from './events.ts'
import { findRecord } from './find-record.ts'
import { parseIfMatch, requireMatch } from './if-match.ts'
import { findMember, inviteMember, memberRecord, removeMember, updateMember } from './members.ts'
import { createProject, deleteProject, findProject, projectRecord, updateProject } from './projects.ts'
import { notFound, Refusal, requireRight } from './refusal.ts'
import { requireSeenContents, requireSeenEnvironment, requireSeenProject } from './seen.ts'
import { deletedAmong } from './tombstones.ts'
import { readVariableBatch } from './variable-batch.ts'
import type { VariableBatch, VariableChange } from './variable-batch.ts'
import { createVariable, deleteVariable, updateVariable, variableRecord } from './variables.ts'
import { createVersion, findVersion, noVersion, rollBack, versionRecord } from './versions.ts'
import type { Write } from './write.ts'

/** Who sends the items. */
export interface Actor {
  memberId: string
  roleId: RoleId
}

/** An item of the request, or why it cannot be read. */
export interface Item {
  id: string
  change: Change | Refusal
}

/** The result of an item. */
interface Done {
  record: AnyRecord | null
  counts?: { added: number; updated: number; removed: number }
  /** Unset where nothing was written. */
  event?: AuditEvent
}

const nothingDone: Done = { record: null }

/** The event of an update, unless the record had those values already. */
const ifWritten = (before: { seq: number } | null, after: { seq: number }, event: AuditEvent): Pick<Done, 'event'> =>
  after.seq === before?.seq ? {} : { event }

const rights: { readonly [R in Change['resource']]: (op: Change['op']) => Permission } = {
  project: (op) => (op === 'delete' ? 'projects.delete' : 'projects.write'),
  environment: (op) => (op === 'delete' ? 'environments.delete' : 'environments.write'),
  variable: () => 'variables.write',
  version: () => 'versions.write',
  member: () => 'members.write',
}

const noProject = (missing: 'record' | 'parent') => notFound('There is no project with this id.', missing)
const noEnvironment = (missing: 'record' | 'parent') => notFound('There is no environment with this id.', missing)

const wasDeleted = (what: string) => new Refusal(errorCodes.gone, `The ${what} with this id was deleted.`)

/** Makes a new record, unless a record of this id exists: then a repeat of the request made it. */
const createOnce = async (
  write: Write,
  { resource, id }: { resource: 'project' | 'environment' | 'version' | 'member'; id: string },
  create: () => Promise<Done>,
): Promise<Done> => {
  const existing = await findRecord(write, resource, id)
  if (existing !== null) return { record: existing.record }
  if ((await deletedAmong(write, resource, [id])).has(id)) throw wasDeleted(resource)
  return create()
}

type ChangeOf<R extends Change['resource']> = Extract<Change, { resource: R }>

const applyToProject = async (write: Write, change: ChangeOf<'project'>): Promise<Done> => {
  if (change.op === 'create') {
    return createOnce(write, change, async () => {
      const row = await createProject(write, { id: change.id, ...change.fields })
      return { record: projectRecord(row), event: events.projectEvent('create', row) }
    })
  }
  const row = await findProject(write, change.id)
  const ifMatch = parseIfMatch(change.ifMatch)
  if (change.op === 'delete') {
    if (row === null) return nothingDone
    requireMatch(ifMatch, row.seq)
    await requireSeenProject(write, row, change.seen)
    await deleteProject(write, row, ifMatch)
    return { record: null, event: events.projectEvent('delete', row) }
  }
  if (row === null) throw noProject('record')
  const next = await updateProject(write, row, change.fields, ifMatch)
  return { record: projectRecord(next), ...ifWritten(row, next, events.projectUpdated(next, change.fields)) }
}

const applyToEnvironment = async (write: Write, change: ChangeOf<'environment'>): Promise<Done> => {
  if (change.op === 'create') {
    return createOnce(write, change, async () => {
      if ((await findProject(write, change.parentId)) === null) throw noProject('parent')
      const row = await createEnvironment(write, change.parentId, { id: change.id, ...change.fields })
      return { record: environmentRecord(row), event: events.environmentEvent('create', row) }
    })
  }
  const row = await findEnvironment(write, change.id)
  const ifMatch = parseIfMatch(change.ifMatch)
  if (change.op === 'delete') {
    if (row === null) return nothingDone
    requireMatch(ifMatch, row.seq)
    await requireSeenEnvironment(write, row, change.seen)
    await deleteEnvironment(write, row, ifMatch)
    return { record: null, event: events.environmentEvent('delete', row) }
  }
  if (row === null) throw noEnvironment('record')
  const next = await updateEnvironment(write, row, change.fields, ifMatch)
  return { record: environmentRecord(next), ...ifWritten(row, next, events.environmentUpdated(next, change.fields)) }
}

const applyToVariable = async (write: Write, change: VariableChange, batch: VariableBatch): Promise<Done> => {
  if (change.op === 'delete') {
    const ifMatch = parseIfMatch(change.ifMatch)
    const known = batch.find(change.id)
    if (known === undefined) return nothingDone
    await deleteVariable(write, known, ifMatch, batch.rows)
    return { record: null, event: events.variableEvent('delete', known) }
  }
  if (change.op === 'create') {
    const existing = await batch.read(change.id)
    if (existing !== undefined) return { record: variableRecord(existing) }
    if (batch.wasDeleted(change.id)) throw wasDeleted('variable')
    if (!batch.hasEnvironment(change.parentId)) throw noEnvironment('parent')
    const made = await createVariable(write, change.parentId, { id: change.id, ...change.fields }, batch.rows)
    return { record: variableRecord(made), event: events.variableEvent('create', made) }
  }
  const ifMatch = parseIfMatch(change.ifMatch)
  const known = batch.find(change.id)
  if (known === undefined) throw notFound('There is no variable with this id.')
  const { parentId, ...fields } = change.fields
  if (parentId !== undefined && !batch.hasEnvironment(parentId)) throw noEnvironment('parent')
  const next = await updateVariable(write, known, { ...fields, environmentId: parentId }, ifMatch, batch.rows)
  return { record: variableRecord(next), ...ifWritten(known, next, events.variableUpdated(next, change.fields)) }
}

const applyToVersion = async (write: Write, change: ChangeOf<'version'>): Promise<Done> => {
  if (change.op === 'create') {
    return createOnce(write, change, async () => {
      if ((await findEnvironment(write, change.parentId)) === null) throw noEnvironment('parent')
      const row = await createVersion(write, change.parentId, { id: change.id, ...change.fields })
      return { record: versionRecord(row), event: events.versionCreated(row) }
    })
  }
  const row = await findVersion(write, change.id)
  if (row === null) throw noVersion()
  const environment = await findEnvironment(write, row.environment_id)
  if (environment === null) throw new Error('a version has no environment')
  await requireSeenContents(write, environment, change.seen)
  const counts = await rollBack(write, row, null)
  return { record: versionRecord(row), counts, event: events.versionRolledBack(row, counts) }
}

const applyToMember = async (write: Write, actor: Actor, change: ChangeOf<'member'>): Promise<Done> => {
  if (change.op === 'create') {
    return createOnce(write, change, async () => {
      const row = await inviteMember(write, actor.memberId, { id: change.id, ...change.fields })
      return { record: memberRecord(row), event: events.memberEvent('invite', row) }
    })
  }
  const ifMatch = parseIfMatch(change.ifMatch)
  const row = await findMember(write, change.id)
  if (change.op === 'delete') {
    if (row === null) return nothingDone
    return { record: null, event: events.memberRemoved(await removeMember(write, actor.memberId, change.id, ifMatch)) }
  }
  const next = await updateMember(write, actor.memberId, change.id, change.fields, ifMatch)
  return { record: memberRecord(next), ...ifWritten(row, next, events.memberEvent('update', next)) }
}

const applyOne = async (write: Write, actor: Actor, change: Change, batch: VariableBatch | null): Promise<Done> => {
  requireRight(actor.roleId, rights[change.resource](change.op))
  if (change.resource === 'project') return applyToProject(write, change)
  if (change.resource === 'environment') return applyToEnvironment(write, change)
  if (change.resource === 'version') return applyToVersion(write, change)
  if (change.resource === 'member') return applyToMember(write, actor, change)
  if (batch === null) throw new Error('a variable item has no batch')
  return applyToVariable(write, change, batch)
}

const isOfVariable = (change: Change | Refusal): change is VariableChange => !(change instanceof Refusal) && change.resource === 'variable'

/** The run of variable items that begins here. */
const variablesFrom = (items: readonly Item[], start: number): VariableChange[] => {
  const run: VariableChange[] = []
  for (const { change } of items.slice(start)) {
    if (!isOfVariable(change)) break
    run.push(change)
  }
  return run
}

/** The record in the answer to a refused item: its current state, or the holder of its name; undefined: none. */
const recordOf = async (
  write: Write,
  change: Change,
  refusal: Refusal,
  batch: VariableBatch | null,
): Promise<AnyRecord | null | undefined> => {
  if (refusal.code === errorCodes.stale && change.op === 'rollback') return null
  const id = refusal.code === errorCodes.stale ? change.id : refusal.holderId
  if (id === undefined) return undefined
  const row = await batch?.read(id)
  if (row !== undefined) return variableRecord(row)
  return (await findRecord(write, change.resource, id))?.record ?? null
}

/** Applies one item and answers it, also where it is refused. */
const answerOne = async (
  write: Write,
  actor: Actor,
  { id, change }: Item,
  batch: VariableBatch | null,
): Promise<{ answer: ChangeAnswer; event?: AuditEvent | undefined }> => {
  try {
    if (change instanceof Refusal) throw change
    const { record, counts, event } = await applyOne(write, actor, change, batch)
    return { answer: { id, status: 'done', record, ...(counts === undefined ? {} : { counts }) }, event }
  } catch (error) {
    // Only checks throw a Refusal, before the item's first write, so the other items stay valid.
    if (!(error instanceof Refusal)) throw error
    const record = change instanceof Refusal ? undefined : await recordOf(write, change, error, batch)
    const missing = error.code === errorCodes.notFound && error.missing !== undefined ? { missing: error.missing } : {}
    return {
      answer: { id, status: 'failed', code: error.code, message: error.message, ...missing, ...(record === undefined ? {} : { record }) },
    }
  }
}

/** After changing their own role, the sender continues with the new one. */
const actorAfter = (change: Change | Refusal, actor: Actor): Actor =>
  !(change instanceof Refusal) && change.resource === 'member' && change.op === 'update' && change.id === actor.memberId
    ? { ...actor, roleId: change.fields.roleId }
    : actor

/** The length of the value that an answer holds. */
const valueBytes = ({ record }: ChangeAnswer): number => (record && 'value' in record ? record.value.length : 0)

/**
 * Applies the items in order, each independent of the others: a refused item does not undo the rest. Returns an answer for each, and the
 * audit events of those that succeeded. Small items can name large values, all of which their answers hold: once these are more than a
 * request may hold, the rest of the items is not applied, and has no answer.
 */
export const applyChanges = async (
  write: Write,
  sender: Actor,
  items: readonly Item[],
): Promise<{ answers: ChangeAnswer[]; events: AuditEvent[] }> => {
  const answers: ChangeAnswer[] = []
  const done: AuditEvent[] = []
  let actor = sender
  let batch: VariableBatch | null = null
  let bytes = 0
  for (const [index, item] of items.entries()) {
    const { change } = item
    if (bytes > bodyLimit) break
    if (!isOfVariable(change)) {
      await batch?.flush()
      batch = null
    } else if (roleMay(actor.roleId, rights.variable(change.op))) batch ??= await readVariableBatch(write, variablesFrom(items, index))
    const { answer, event } = await answerOne(write, actor, item, batch)
    answers.push(answer)
    bytes += valueBytes(answer)
    await write.admit?.(bytes)
    if (event !== undefined) done.push(event)
    if (answer.status === 'done') actor = actorAfter(change, actor)
  }
  await batch?.flush()
  return { answers, events: done }
}
