import type { AnswerFacts, Facts } from '../sync/plan/step.ts'
import { baseChildren, getBase, getBaseByRemote } from './base-layer.ts'
import type { EnqueueContext } from './enqueue.ts'
import { getMember } from './members-layer.ts'
import { parentAt } from './past-layer.ts'
import { changesOfRow, childChanges, createAgain, createClaiming, createOf, isQueueEmpty, operationsOn } from './queue-layer.ts'
import type { Tx } from './tx.ts'
import { getWorking } from './working-layer.ts'

/** What plans ask of the mirror, as it is in the transaction that carries them out. */
export const factsIn = (tx: Tx, context: EnqueueContext): Facts => ({
  ...context,
  base: (id) => getBase(tx, id),
  baseOf: (kind, remoteId) => getBaseByRemote(tx, kind, remoteId),
  children: (id) => baseChildren(tx, id),
  parentAt: (id, rev) => parentAt(tx, id, rev),
  working: (id) => getWorking(tx, id),
  changesOf: (rowId) => changesOfRow(tx, rowId),
  childChanges: (parentId) => childChanges(tx, parentId),
  operationsOn: (environmentId) => operationsOn(tx, environmentId),
  createClaiming: (kind, parentId, key) => createClaiming(tx, kind, parentId, key),
  createOf: (kind, remoteId) => createOf(tx, kind, remoteId),
  createAgain: (parentId, name) => createAgain(tx, parentId, name),
})

const nothingQueued = {
  changesOf: () => [],
  childChanges: () => [],
  operationsOn: () => [],
  createClaiming: () => null,
  createOf: () => null,
  createAgain: () => null,
} satisfies Partial<Facts>

/**
 * The same for a page of a pull. What a service shows never fills an empty queue: one that is empty when the page begins stays so in its
 * transaction, and is not asked again.
 */
export const pullFactsIn = (tx: Tx, context: EnqueueContext): Facts => ({
  ...factsIn(tx, context),
  ...(isQueueEmpty(tx) ? nothingQueued : null),
})

/** The same for the answer to an entry. `random`, `timesStale`: see `AnswerFacts`. */
export const answerFactsIn = (tx: Tx, context: EnqueueContext & Pick<AnswerFacts, 'random' | 'timesStale'>): AnswerFacts => ({
  ...factsIn(tx, context),
  random: context.random,
  timesStale: context.timesStale,
  memberStatus: (id) => getMember(tx, id)?.status ?? null,
})
