import { isAttempted, type RowKind } from '../queue/entry.ts'
import type { AnswerFacts, Facts } from '../sync/plan/step.ts'
import { baseChildren, getBase, getBaseByRemote } from './base-layer.ts'
import { idOfDeleted, isNothingDeleted } from './deleted-layer.ts'
import type { EnqueueContext } from './enqueue.ts'
import { getMember } from './members-layer.ts'
import { wasElsewhere } from './past-layer.ts'
import {
  changesBeside,
  changesOfRow,
  childChanges,
  createAgain,
  createClaiming,
  createOf,
  isQueueEmpty,
  operationsOn,
} from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { getWorking } from './working-layer.ts'

/** Returns the facts for a plan, read in the transaction that writes the plan. */
export const factsIn = (tx: Tx, context: EnqueueContext): Facts => ({
  ...context,
  base: (id) => getBase(tx, id),
  baseOf: (kind, remoteId) => getBaseByRemote(tx, kind, remoteId),
  children: (id) => baseChildren(tx, id),
  wasElsewhere: (id, environmentId, rev) => wasElsewhere(tx, id, environmentId, rev),
  working: (id) => getWorking(tx, id),
  changesOf: (rowId) => changesOfRow(tx, rowId),
  changesBeside: (change) => changesBeside(tx, change),
  childChanges: (parentId) => childChanges(tx, parentId),
  operationsOn: (environmentId) => operationsOn(tx, environmentId),
  createClaiming: (kind, parentId, key) => createClaiming(tx, kind, parentId, key),
  createOf: (kind, remoteId) => createOf(tx, kind, remoteId) ?? createAfter(tx, kind, remoteId),
  createAgain: (parentId, name) => createAgain(tx, parentId, name),
  idFor: (kind, remoteId) => formerId(tx, kind, remoteId) ?? context.newId(),
})

/** Returns the unsent create of a deleted variable, found by its former local id, or null. */
function createAfter(tx: Tx, kind: RowKind, remoteId: string) {
  const id = idOfDeleted(tx, kind, remoteId)
  const create = id === null || kind !== 'variable' ? undefined : changesOfRow(tx, id).find((change) => change.kind === 'create')
  return create === undefined || create.base === null || isAttempted(create) ? null : create
}

/** Returns the former local id of a deleted record, if it is free: a row that was created again may have it. */
function formerId(tx: Tx, kind: RowKind, remoteId: string): string | null {
  const id = idOfDeleted(tx, kind, remoteId)
  const isUsed =
    id !== null && [getBase(tx, id), getWorking(tx, id), ...changesOfRow(tx, id), ...childChanges(tx, id)].some((each) => each !== null)
  return isUsed ? null : id
}

const nothingQueued = {
  changesOf: () => [],
  changesBeside: () => [],
  childChanges: () => [],
  operationsOn: () => [],
  createClaiming: () => null,
  createOf: () => null,
  createAgain: () => null,
} satisfies Partial<Facts>

/**
 * Returns the facts for a page of a pull. Writing a page never fills an empty queue, so an empty queue is not read again in this
 * transaction.
 */
export const pullFactsIn = (tx: Tx, context: EnqueueContext): Facts => ({
  ...factsIn(tx, context),
  ...(isQueueEmpty(tx) ? nothingQueued : null),
  ...(isNothingDeleted(tx) ? { idFor: () => context.newId() } : null),
})

/** Returns the facts for the answer to an entry. `random`, `timesStale`: see `AnswerFacts`. */
export const answerFactsIn = (tx: Tx, context: EnqueueContext & Pick<AnswerFacts, 'random' | 'timesStale'>): AnswerFacts => ({
  ...factsIn(tx, context),
  random: context.random,
  timesStale: context.timesStale,
  memberStatus: (id) => getMember(tx, id)?.status ?? null,
})
