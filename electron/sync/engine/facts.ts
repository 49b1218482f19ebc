import { baseChildren, getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { getMember } from '../../mirror/members-layer.ts'
import { childChanges, changesOfRow, createClaiming, createOf, operationsOn } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import type { AnswerFacts, Facts } from '../plan/step.ts'
import type { EngineDeps } from './engine-deps.ts'

type Sources = Pick<EngineDeps, 'now' | 'newId' | 'random'>

/** What plans ask of the mirror, read in one transaction. */
export const factsIn = (tx: Tx, deps: Sources): Facts => ({
  base: (id) => getBase(tx, id),
  baseOf: (kind, remoteId) => getBaseByRemote(tx, kind, remoteId),
  children: (id) => baseChildren(tx, id),
  working: (id) => getWorking(tx, id),
  changesOf: (rowId) => changesOfRow(tx, rowId),
  childChanges: (parentId) => childChanges(tx, parentId),
  operationsOn: (environmentId) => operationsOn(tx, environmentId),
  createClaiming: (kind, parentId, key) => createClaiming(tx, kind, parentId, key),
  createOf: (kind, remoteId) => createOf(tx, kind, remoteId),
  now: deps.now(),
  newId: () => deps.newId(),
})

/** The same for the answer to an entry. `timesStale`: see `AnswerFacts`. */
export const answerFactsIn = (tx: Tx, deps: Sources, timesStale: number): AnswerFacts => ({
  ...factsIn(tx, deps),
  random: () => deps.random(),
  timesStale,
  memberStatus: (id) => getMember(tx, id)?.status ?? null,
})
