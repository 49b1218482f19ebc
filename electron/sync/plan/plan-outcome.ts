import { isChange, parentKind, type BaseRow, type Change, type Conflict, type Entry, type Row } from '../../queue/entry.ts'
import { agree, changedFields, fieldNames, mergeableOf, pickFields, sameField, sentFields, type Fields } from '../../queue/fields.ts'
import { transition, type EntryEvent } from '../../queue/transition.ts'
import type { Failure, Outcome, Reconciled, RemoteRow } from '../port.ts'
import { retryDelay } from './backoff.ts'
import { conflictReason } from './conflict-reason.ts'
import { failureWords } from './failure-words.ts'
import { planOperationOutcome } from './plan-operation-outcome.ts'
import { maxRetries, reject, sendAgain, waitForPull } from './plan-retry.ts'
import { adopt, deletedRow, rebaseOnto, removeRow, stampsOf, writeRecord } from './plan-record.ts'
import type { AnswerFacts, Step } from './step.ts'

/** How many requests of an entry may fail before it waits for the user. */
export const maxAttempts = 16

/** Returns the steps for the outcome of a pushed entry. `entry`: as it is now, still `sending`. */
export function planOutcome(entry: Entry, outcome: Outcome, facts: AnswerFacts): Step[] {
  const common = commonSteps(entry, outcome, facts)
  if (common !== null) return common
  return isChange(entry) ? planChangeOutcome(entry, outcome, facts) : planOperationOutcome(entry, outcome, facts)
}

/** Returns the outcome that a reconciling read shows; null: the service did not do it, and sync can send it again. */
export function outcomeOf(entry: Entry, reconciled: Exclude<Reconciled, { is: 'unknowable' }>): Outcome | null {
  switch (reconciled.is) {
    case 'undone':
      return null
    case 'done':
      return { ...reconciled, is: 'confirmed', row: null }
    case 'row': {
      const { row, holder } = reconciled
      if (entry.kind === 'create') {
        if (row !== null) return { is: 'confirmed', row }
        return holder === null ? null : { is: 'taken', holder, message: conflictReason('name-taken') }
      }
      if (entry.kind === 'delete' && row === null) return { is: 'confirmed', row: null }
      return { is: 'stale', current: row }
    }
  }
}

/** Plans a failed reconcile: the outcome stays unknown, unless it can never be known. */
export function planUnreconciled(entry: Entry, failure: Failure, facts: AnswerFacts): Step[] {
  const isFinal = failure.kind === 'refused' || (failure.kind === 'failed' && entry.attempts >= maxAttempts)
  return [isFinal ? { do: 'advance', entry, event: { is: 'reject', reason: failure.message } } : unanswered(entry, failure, facts)]
}

/** Returns a failure that affects every entry and ends the round; null: the other entries go on. */
export const endOfRound = (outcome: Outcome): Failure | null =>
  (outcome.is === 'unsent' || outcome.is === 'unknown') && stopsRound(outcome.failure) ? outcome.failure : null

export const stopsRound = ({ kind }: Failure): boolean => kind !== 'failed' && kind !== 'refused'

function unanswered(entry: Entry, failure: Failure, facts: AnswerFacts): Step {
  // After a failure of the network sync reconciles as soon as the service answers again.
  const nextAttemptAt = failure.kind === 'failed' ? facts.now + retryDelay(entry.attempts, facts.random(), null) : null
  return { do: 'advance', entry, event: { is: 'unanswered', nextAttemptAt, reason: failureWords(failure) } }
}

/** Returns the steps for outcomes that every entry handles alike; null: another outcome. */
function commonSteps(entry: Entry, outcome: Outcome, facts: AnswerFacts): Step[] | null {
  const advance = (event: EntryEvent): Step[] => [{ do: 'advance', entry, event }]
  switch (outcome.is) {
    case 'refused':
      return [reject(entry, outcome.message, facts)]
    case 'unsupported':
      return advance({ is: 'block', reason: outcome.message })
    case 'unknown':
      return [unanswered(entry, outcome.failure, facts)]
    case 'unsent': {
      const { failure } = outcome
      if (stopsRound(failure)) return advance({ is: 'unsent', nextAttemptAt: null, reason: null })
      if (entry.attempts >= maxAttempts) return [reject(entry, failure.message, facts)]
      const nextAttemptAt = facts.now + retryDelay(entry.attempts, facts.random(), null)
      return advance({ is: 'delay', nextAttemptAt, reason: failureWords(failure) })
    }
    default:
      return null
  }
}

function planChangeOutcome(change: Change, outcome: Outcome, facts: AnswerFacts): Step[] {
  switch (outcome.is) {
    case 'confirmed':
      return confirmed(change, outcome.row, facts)
    case 'stale':
      return stale(change, outcome.current, facts)
    case 'taken':
      return taken(change, outcome.holder, facts)
    case 'missing':
      return missing(change, outcome.what, outcome.message, facts)
    case 'changed-below':
      return [waitForPull(change, null, 'Others kept changing it while it was being deleted. Try again later.', facts)]
    default:
      return []
  }
}

const ignored = 'The service says it saved this, but still shows all or a part of it as it was before. Try again later.'

/**
 * Whether a record that a service sends as the outcome of an edit shows some of its fields as they were before, and the others as the edit
 * made them. A service that ignores edits or fields, or lies, must not end the edit. Any other value means that others edited the record
 * since.
 */
function isIgnored({ kind, patch }: Change, record: RemoteRow, parentId: string | null, base: BaseRow | null): boolean {
  if (kind !== 'update' || base === null) return false
  const before = mergeableOf(base)
  const shown: Fields = { ...record.fields, parent: parentId ?? patch.parent }
  const edited = changedFields(before, sentFields(patch))
  const names = fieldNames.filter((name) => edited[name] !== undefined)
  const asBefore = names.filter((name) => sameField(before[name], shown[name]))
  return asBefore.length > 0 && names.every((name) => asBefore.includes(name) || sameField(edited[name], shown[name]))
}

/** Plans a change that the service did: its record becomes base, and the later changes of the row are rebased onto it. */
function confirmed(change: Change, record: RemoteRow | null, facts: AnswerFacts): Step[] {
  const base = facts.base(change.rowId)
  if (record === null) {
    if (base === null) return [{ do: 'advance', entry: change, event: { is: 'confirm' } }]
    return [...deletedRow(base, null, facts), { do: 'untrack', rowId: change.rowId }]
  }
  const shownParentId = parentOf(record, facts)
  if (isIgnored(change, record, shownParentId, base)) return [reject(change, ignored, facts)]
  if (isEarlierTry(change, record)) return madeBefore(change, record, facts)
  const twin = base?.remoteId === record.remoteId ? null : facts.baseOf(record.kind, record.remoteId)
  const { parent, ...patch } = sentFields(change.patch)
  const mine = { ...base?.fields, ...patch }
  const parentId = shownParentId ?? parent ?? base?.parentId ?? change.ancestors[0] ?? null
  const row: BaseRow = {
    id: change.rowId,
    kind: change.rowKind,
    parentId,
    fields: { ...mine, ...record.fields },
    ...stampsOf(record),
  }
  const expected = { parentId: parent ?? base?.parentId ?? parentId, fields: mine }
  const before = base ?? (twin && { ...twin, id: change.rowId })
  const sent: Row = { ...row, fields: mine }
  // The service did it, and others changed the record before the answer arrived.
  const isReplaced = patch.value !== undefined && !sameField(patch.value, row.fields.value)
  const isOverwritten = before?.fields.value !== undefined && !sameField(before.fields.value, row.fields.value)
  // The changes of the twin become changes of this row, and are rebased onto the sent values.
  const rest = [...facts.changesBeside(change), ...(twin === null ? [] : facts.changesOf(twin.id))].toSorted((a, b) => a.seq - b.seq)
  return [
    ...(twin === null ? [] : [{ do: 'rebind' as const, from: twin.id, to: change.rowId }]),
    { do: 'advance', entry: change, event: { is: 'confirm' } },
    ...(isOverwritten ? [{ do: 'keep' as const, row: before, overwrite: { whose: 'mine' as const, why: 'changed' as const } }] : []),
    ...(isReplaced
      ? [{ do: 'keep' as const, row: sent, overwrite: { whose: 'theirs' as const, why: 'changed' as const, by: row.updatedBy } }]
      : []),
    { do: 'write', row, expected },
    ...rebaseOnto(row, rest, facts),
    { do: 'refresh', rowId: row.id },
  ]
}

/**
 * Whether an earlier request of a create made the record, with other bytes: the service treats the second request as a repeat. Nobody has
 * changed the record since, so it holds no change of others.
 */
const isEarlierTry = ({ kind, remoteId, patch }: Change, record: RemoteRow): boolean =>
  kind === 'create' && record.remoteId === remoteId && record.createdAt === record.updatedAt && !agree(patch, record.fields)

/** Plans a create whose earlier request made the record: later edits become an update of it. */
function madeBefore(change: Change, record: RemoteRow, facts: AnswerFacts): Step[] {
  const parentId = parentOf(record, facts) ?? change.ancestors[0] ?? null
  const row: BaseRow = { id: change.rowId, kind: change.rowKind, parentId, fields: record.fields, ...stampsOf(record) }
  const patch = changedFields(record.fields, sentFields(change.patch))
  const event: EntryEvent = { is: 'found', id: facts.newId(), patch, base: record.fields }
  const found = transition(change, event)
  const rest = facts.changesBeside(change)
  return [
    { do: 'advance', entry: change, event },
    { do: 'write', row, expected: { parentId, fields: row.fields } },
    ...rebaseOnto(row, found === null ? rest : [found, ...rest], facts),
    { do: 'refresh', rowId: row.id },
  ]
}

/** Returns the local id of a record's parent; null when the service does not name it, or the record is a project. */
function parentOf({ kind, parentRemoteId }: RemoteRow, facts: AnswerFacts): string | null {
  const kindOfParent = parentKind[kind]
  return kindOfParent === null || parentRemoteId === null ? null : (facts.baseOf(kindOfParent, parentRemoteId)?.id ?? null)
}

/** Plans a change whose record others changed: it is rebased onto the record as it is now. */
function stale(change: Change, current: RemoteRow | null, facts: AnswerFacts): Step[] {
  const base = facts.base(change.rowId)
  if (current === null) return recordMissing(change, facts)
  if (base === null) return [sendAgain(change, facts)]
  if (facts.timesStale >= maxRetries)
    return [reject(change, 'The service keeps saying that someone changed this at the same moment. Try again later.', facts)]
  // A value is sealed to its environment: the following pull shows which environment that is.
  if (current.parentRemoteId !== null && parentOf(current, facts) === null)
    return [{ do: 'advance', entry: change, event: { is: 'delay', nextAttemptAt: null, reason: null } }]
  const row = {
    ...base,
    ...stampsOf(current),
    parentId: parentOf(current, facts),
    fields: { ...base.fields, ...current.fields },
  }
  return writeRecord(base, row, facts.changesOf(change.rowId), facts)
}

/** Plans a change whose name another record has. That may be the record that this create made. */
function taken(change: Change, holder: RemoteRow | null, facts: AnswerFacts): Step[] {
  if (change.kind !== 'create' || holder === null) return [parkTaken(change)]
  if (holder.remoteId === change.remoteId) return confirmed(change, holder, facts)
  const known = facts.baseOf(holder.kind, holder.remoteId)
  if (known === null) return adopt(holder, parentOf(holder, facts) ?? change.ancestors[0] ?? null, change, facts)
  // The mirror has that record as another row: others have given that row this name since.
  const isDeleted = facts.changesOf(change.rowId).some(({ kind }) => kind === 'delete')
  if (!isDeleted) return [parkTaken(change)]
  const row = { ...holder, id: change.rowId, kind: change.rowKind, parentId: change.ancestors[0] ?? null, fields: change.patch }
  return removeRow(row, { whose: 'mine', by: null }, facts)
}

const parkTaken = (change: Change): Step => ({
  do: 'advance',
  entry: change,
  event: { is: 'park', conflict: { kind: 'name-taken', remote: null, by: null }, reason: conflictReason('name-taken') },
})

function missing(change: Change, what: 'record' | 'parent', message: string, facts: AnswerFacts): Step[] {
  if (what === 'parent') return [waitForPull(change, message, message, facts)]
  return change.kind === 'delete' ? confirmed(change, null, facts) : recordMissing(change, facts)
}

/** Plans a change whose record the service doesn't have. */
function recordMissing(change: Change, facts: AnswerFacts): Step[] {
  const base = facts.base(change.rowId)
  if (base !== null) return deletedRow(base, null, facts)
  // The service made the record and others have deleted it since, or the user stopped tracking it.
  const conflict: Conflict = { kind: 'deleted-remotely', remote: null, by: null }
  const { parent: _parent, ...patch } = pickFields({ ...change.base, ...change.patch }, fieldNames)
  const reason = conflictReason(conflict.kind)
  return [
    {
      do: 'advance',
      entry: change,
      event: { is: 'recreate', id: facts.newId(), remoteId: facts.newId(), conflict, reason, patch, base: change.base },
    },
    { do: 'refresh', rowId: change.rowId },
  ]
}
