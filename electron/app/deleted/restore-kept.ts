import { ok, type Result } from '../../bridge/result.ts'
import { isUnverified } from '../../cipher/stored-value.ts'
import { getBase } from '../../mirror/base-layer.ts'
import {
  countDeleted,
  deletedChildren,
  deletedEnvironments,
  deletedParents,
  deletedVersions,
  dropDeleted,
  fieldsOfDeleted,
  getDeleted,
  type DeletedParent,
  type DeletedRow,
} from '../../mirror/deleted-layer.ts'
import { enqueue, type EnqueueContext } from '../../mirror/enqueue.ts'
import { enqueueOperation } from '../../mirror/enqueue-operation.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking, workingChildren } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import { isVariable, type Row } from '../../queue/entry.ts'
import { changedFields, type Fields, type SealedValue } from '../../queue/fields.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { notFound, taken } from '../edits/refusals.ts'

/**
 * Queues the create of a deleted project or environment with the rows that the mirror kept: environments, variables, and versions if the
 * service supports them. If the create is queued already, because a row in it was edited, adds only missing rows, and the versions stay
 * restorable. `slug`: another one, already checked. Returns its local id. Errors: `name-taken` if the slug is taken, also by itself if only
 * versions are missing; `not-found` if its project is deleted.
 */
export function restoreKept(tx: Tx, context: EnqueueContext, kept: DeletedParent, slug: string | undefined): Result<{ id: string }> {
  const project = kept.kind === 'environment' ? projectOf(tx, kept) : null
  if (kept.kind === 'environment' && project === null) return notFound('project')
  const { name } = kept
  const wanted = slug ?? kept.slug
  const queued = slug === undefined ? queuedAgain(tx, kept) : null
  if (queued === null && findWorking(tx, kept.kind, project?.id ?? null, wanted) !== null) return taken(kept.kind, wanted)
  const row = queued ?? create(tx, context, kept.kind, project, { name, slug: wanted })
  const added =
    kept.kind === 'environment'
      ? fill(tx, context, row, kept, queued === null)
      : deletedEnvironments(tx, kept).reduce((sum, environment) => sum + restoreEnvironment(tx, context, row, environment), 0)
  if (queued === null || countDeleted(tx, kept).versions === 0) dropDeleted(tx, kept)
  else if (added === 0) return taken(kept.kind, wanted)
  return ok({ id: row.id })
}

/**
 * Returns the row if its create is queued already, because a row in it was edited. Null: it does not exist, or another record has its local
 * id now.
 */
export function queuedAgain(tx: Tx, { id, remote_id: remoteId }: DeletedRow): Row | null {
  const base = getBase(tx, id)
  return base === null || base.remoteId === remoteId ? getWorking(tx, id) : null
}

/**
 * Returns the deleted projects and environments that the mirror can restore, newest first, without those whose create is queued already and
 * lacks nothing.
 */
export const restorableParents = (tx: Tx): DeletedParent[] => deletedParents(tx).filter((kept) => !isWhole(tx, kept, queuedAgain(tx, kept)))

/** Whether a row has everything again that the mirror kept of a deleted one. */
function isWhole(tx: Tx, kept: DeletedParent, row: Row | null): boolean {
  if (row === null) return false
  if (kept.kind === 'project') return deletedEnvironments(tx, kept).every((below) => isWhole(tx, below, presentIn(tx, row, below)))
  return deletedVersions(tx, kept.remote_id).length === 0 && missingIn(tx, row, kept).length === 0
}

/** Returns, as a sentence, the parts that the mirror can't restore; null: nothing is missing. */
export function lacksOf(tx: Tx, kept: DeletedParent): string | null {
  const { versions } = countDeleted(tx, kept)
  const variables = deletedEnvironments(tx, kept).flatMap((row) => deletedChildren(tx, row))
  const doubted = variables.filter(({ sealed }) => sealed === null || isUnverified(sealed)).length
  const missing = [
    ...(doubted === 0 ? [] : [counted(doubted, 'Unverified variable')]),
    ...(readProfile(tx)?.kind === 'basic' ? (versions === 0 ? [] : [counted(versions, 'version')]) : unreadVersions(tx, kept)),
  ]
  const lost = missing.length === 0 ? '' : `Missing: ${missing.join(' and ')}.`
  if (readProfile(tx)?.kind !== 'basic') return lost === '' ? null : lost
  const made = kept.kind === 'project' ? 'projects or variables' : 'variables'
  return `This service can’t create ${made}: they stay queued until someone creates them there. ${lost}`.trim()
}

const counted = (n: number, what: string): string => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

function unreadVersions(tx: Tx, kept: DeletedParent): string[] {
  const all = deletedEnvironments(tx, kept).flatMap((row) => deletedVersions(tx, row.remote_id))
  const unread = all.filter(({ variables }) => variables === null).length
  return unread === 0 ? [] : [`${counted(unread, 'version')} that ${unread === 1 ? 'was' : 'were'} never downloaded`]
}

/** Returns the project that a deleted environment was in, or the one restored since with the same slug; null: neither exists. */
export function projectOf(tx: Tx, { parent_id: id }: DeletedParent): Row | null {
  if (id === null) return null
  const slug = getDeleted(tx, id)?.slug
  return getWorking(tx, id) ?? (slug == null ? null : findWorking(tx, 'project', null, slug))
}

function restoreEnvironment(tx: Tx, context: EnqueueContext, project: Row, kept: DeletedParent): number {
  const { name, slug } = kept
  const there = presentIn(tx, project, kept)
  const added = fill(tx, context, there ?? create(tx, context, 'environment', project, { name, slug }), kept, there === null)
  return there === null ? added + 1 : added
}

/** Returns the environment of a restored project that a deleted one is restored into; null: a new one. */
const presentIn = (tx: Tx, project: Row, kept: DeletedParent): Row | null =>
  queuedAgain(tx, kept) ?? findWorking(tx, 'environment', project.id, kept.slug)

/**
 * Adds the kept variables and versions to an environment; existing ones stay as they are. `isNew`: the environment is empty. Returns how
 * many variables it added.
 */
function fill(tx: Tx, context: EnqueueContext, environment: Row, kept: DeletedParent, isNew: boolean): number {
  const variables = verifiedChildren(tx, kept)
  // A service with an unknown profile, as after a repair, may support versions.
  if (isNew && readProfile(tx)?.kind !== 'basic') makeVersions(tx, context, environment, kept, variables)
  const values = new Map(variables.map(({ name, fields }) => [name, fields]))
  if (isNew) {
    setVariables(tx, context, environment, values)
    return values.size
  }
  const missing = missingIn(tx, environment, kept)
  for (const { fields } of missing) create(tx, context, 'variable', environment, fields)
  return missing.length
}

const verifiedChildren = (tx: Tx, kept: DeletedParent) =>
  deletedChildren(tx, kept)
    .map((row) => ({ row, name: row.name, fields: wholeOf(fieldsOfDeleted(row)) }))
    .filter(({ fields }) => isVerified(fields.value))

/** Returns the kept variables that an environment does not have again. */
const missingIn = (tx: Tx, environment: Row, kept: DeletedParent) =>
  verifiedChildren(tx, kept).filter(
    ({ row, name }) => queuedAgain(tx, row) === null && findWorking(tx, 'variable', environment.id, name) === null,
  )

/** Unverified values are never sent. */
const isVerified = (value: SealedValue | undefined): value is SealedValue => value !== undefined && !isUnverified(value.sealed)

/** A basic service reports neither the type of a variable nor whether it is secret. */
const wholeOf = (fields: Fields): Fields => ({ type: 'string', isSecret: true, ...fields })

/** Queues the versions, oldest first: sets the environment to the contents of each, then queues a snapshot. */
function makeVersions(
  tx: Tx,
  context: EnqueueContext,
  environment: Row,
  kept: DeletedParent,
  variables: readonly { fields: Fields }[],
): void {
  const shapes = new Map(variables.map(({ fields: { name, type, isSecret } }) => [name, { type, isSecret }]))
  for (const { label, note, variables: held } of deletedVersions(tx, kept.remote_id)) {
    if (held === null) continue
    setVariables(
      tx,
      context,
      environment,
      new Map(
        held.filter((each) => isVerified(each.value)).map(({ name, value }) => [name, wholeOf({ ...shapes.get(name), name, value })]),
      ),
    )
    const detail = { label, ...(note === '' ? {} : { note }), remoteId: context.newId() }
    const rowId = context.newId()
    enqueueOperation(tx, { kind: 'snapshot', rowKind: 'version', rowId, ancestors: ancestorsBelow(environment), detail }, context)
  }
}

/** Changes the variables of an environment to exactly these, by name. */
function setVariables(tx: Tx, context: EnqueueContext, environment: Row, wanted: ReadonlyMap<string, Fields>): void {
  const ancestors = ancestorsBelow(environment)
  const there = workingChildren(tx, 'variable', environment.id).filter(isVariable)
  for (const row of there) {
    const fields = wanted.get(row.fields.name)
    const patch = fields && changedFields(row.fields, fields)
    const core = { rowKind: 'variable', rowId: row.id, ancestors, base: row.fields } as const
    if (patch === undefined) enqueue(tx, { ...core, kind: 'delete', patch: {} }, context)
    else if (Object.keys(patch).length > 0) enqueue(tx, { ...core, kind: 'update', patch }, context)
  }
  const names = new Set(there.map(({ fields }) => fields.name))
  for (const [name, fields] of wanted) if (!names.has(name)) create(tx, context, 'variable', environment, fields)
}

function create(tx: Tx, context: EnqueueContext, kind: Row['kind'], parent: Row | null, patch: Fields): Row {
  const rowId = context.newId()
  const ancestors = parent === null ? [] : ancestorsBelow(parent)
  enqueue(tx, { kind: 'create', rowKind: kind, rowId, ancestors, patch, base: null }, context)
  return { id: rowId, kind, parentId: parent?.id ?? null, fields: patch }
}
