import { displayNameProblem, slugProblem } from '../../../service/protocol/names.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { enqueue, enqueueNew } from '../../mirror/enqueue.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { newestRev, type News, newsSince, type Seen, seenRow } from '../../mirror/past-layer.ts'
import { changesOfRow } from '../../mirror/queue-layer.ts'
import type { ParentColumns } from '../../mirror/reads/list-parents.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getVariable, getWorking, idsBelow } from '../../mirror/working-layer.ts'
import { carryOut } from '../../mirror/write-steps.ts'
import type { Row } from '../../queue/entry.ts'
import { changedFields, type Fields } from '../../queue/fields.ts'
import { dropDescendants, dropWithDescendants } from '../../sync/plan/plan-record.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { dropParked, dropParkedDescendants } from './drop-parked.ts'
import type { EditContext } from './edit-context.ts'
import { foreignSlugProblem } from './foreign-slug-problem.ts'
import { isNeverSent } from './is-never-sent.ts'
import { newsWords } from './news-words.ts'
import { invalid, notFound, slugTaken } from './refusals.ts'
import { slugLimit } from '../../../service/protocol/limits.ts'

/** Both are edited alike: they have a name, and a slug that is unique under the parent. */
type Place = 'project' | 'environment'

interface ParentInput {
  name?: string | undefined
  slug?: string | undefined
}

/** Queues a new project (parent null) or environment. Returns its local id. */
export function createParent(
  tx: Tx,
  context: EditContext,
  kind: Place,
  parentId: string | null,
  input: { name: string; slug?: string | undefined },
): Result<{ id: string }> {
  if (parentId !== null && getWorking(tx, parentId)?.kind !== 'project') return notFound('project')
  const isTaken = (slug: string) => findWorking(tx, kind, parentId, slug) !== null
  const slug = input.slug ?? slugOf(input.name, kind, isTaken)
  const problem = problemOf(tx, { name: input.name, slug }, isTaken)
  if (problem !== null) return problem
  const id = context.newId()
  context.remember?.(tx, id, 'new')
  const ancestors = parentId === null ? [] : [parentId]
  enqueueNew(tx, { rowKind: kind, rowId: id, ancestors, patch: { name: input.name, slug } }, context)
  return ok({ id })
}

/** Queues the name and slug that differ from those the user saw. The edit becomes a conflict if others changed the same field since. */
export function updateParent(tx: Tx, context: EditContext, kind: Place, id: string, seen: Seen, input: ParentInput): Result<null> {
  const row = getWorking(tx, id)
  if (row?.kind !== kind) return notFound(kind)
  const isTaken = (slug: string) => (findWorking(tx, kind, row.parentId, slug)?.id ?? id) !== id
  const problem = problemOf(tx, input, isTaken)
  if (problem !== null) return problem
  const saw = seenRow(tx, id, seen)
  context.remember?.(tx, id, saw)
  const base = saw?.fields ?? null
  const patch: Fields = changedFields(base ?? {}, input)
  const ancestors = row.parentId === null ? [] : [row.parentId]
  enqueue(tx, { kind: 'update', rowKind: kind, rowId: id, ancestors, patch, base }, context)
  return ok(null)
}

/**
 * Queues the deletion of a project or environment and everything below it; drops it from the queue if it was never sent. Errors: `outdated`
 * if others added or changed something in it since.
 */
export function deleteParent(tx: Tx, context: EditContext, kind: Place, id: string, seen: Seen): Result<null> {
  const row = getWorking(tx, id)
  if (row?.kind !== kind) return notFound(kind)
  const news = newsSentence(kind, newsSince(tx, id, seen))
  if (news !== null) return err({ kind: 'outdated', message: news })
  context.remember?.(tx, id, 'below')
  const below = getBase(tx, id) === null ? idsBelow(tx, row).map((each) => getVariable(tx, each)) : []
  // Taken first: remote changes of a row that is in conflict below must count as newer, because no screen has shown them.
  const shown = newestRev(tx)
  dropParkedDescendants(tx, context, id)
  const base = dropParked(tx, context, row, seen)
  const [create] = changesOfRow(tx, id)
  const isOnlyHere = getWorking(tx, id) === null ? getBase(tx, id) === null : create !== undefined && isNeverSent(tx, id)
  if (isOnlyHere) {
    keepValues(tx, context, below)
    carryOut(tx, context, (facts) => (create === undefined ? dropDescendants(id, facts) : dropWithDescendants(create, facts)))
    return ok(null)
  }
  const ancestors = row.parentId === null ? [] : [row.parentId]
  enqueue(tx, { kind: 'delete', rowKind: kind, rowId: id, ancestors, patch: {}, base, seen: shown }, context)
  return ok(null)
}

/** Keeps the values of variables that only the queue has. */
function keepValues(tx: Tx, { now }: EditContext, variables: readonly (Row | null)[]): void {
  for (const row of variables)
    if (row !== null && changesOfRow(tx, row.id).length > 0 && getBase(tx, row.id) === null)
      keepHistory(tx, row, { whose: 'mine', why: 'deleted' }, now)
}

function problemOf(tx: Tx, { name, slug }: ParentInput, isTaken: (slug: string) => boolean) {
  const nameProblem = name === undefined ? null : displayNameProblem(name)
  if (nameProblem !== null) return invalid('name', nameProblem)
  const badSlug = slug === undefined ? null : problemOfSlug(tx, slug)
  if (badSlug !== null) return badSlug
  return slug !== undefined && isTaken(slug) ? slugTaken(slug) : null
}

/** Returns the error for a slug that no project or environment can have, or null. Our own service accepts fewer slugs than others do. */
export function problemOfSlug(tx: Tx, slug: string) {
  const problem = readProfile(tx)?.kind === 'basic' ? foreignSlugProblem(slug) : slugProblem(slug)
  return problem === null ? null : invalid('slug', problem)
}

/** The sync state of a row in the sidebar, and whether the service never had it. */
export const rowSyncOf = (row: Pick<ParentColumns, 'change_state' | 'change_kind'>) => ({
  sync: row.change_state ?? ('synced' as const),
  isUnsent: row.change_kind === 'create',
})

/** Returns a sentence that it wasn't deleted because others changed something in it since; null: they changed nothing. */
function newsSentence(kind: 'project' | 'environment', news: News): string | null {
  const words = newsWords(news)
  return words && `${words} here since you opened this, so nothing was deleted. Delete the ${kind} again if you still want to.`
}

/**
 * Makes a slug from a name: lower-case Latin letters and digits, everything else becomes "-". Adds a number if it is taken. A name without
 * Latin letters or digits becomes `fallback`.
 */
function slugOf(name: string, fallback: string, isTaken: (slug: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, slugLimit - 6)
  const stem = plain === '' ? fallback : plain
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? stem : `${stem}-${n}`
    if (!isTaken(slug)) return slug
  }
}
