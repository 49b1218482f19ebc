import { sql } from 'kysely'
import { getBase } from './base-layer.ts'
import type { EnqueueContext } from './enqueue.ts'
import { addEntry, changesOfRow } from './queue-layer.ts'
import { isBroughtBack } from './superseded-layer.ts'
import { build, type Tx } from './tx.ts'
import { pathFrom, refreshRow } from './working-layer.ts'

/**
 * Queues a variable's value to be sealed again when it is sent. Returns false, and queues nothing, for a variable with unsent changes or
 * without a value.
 */
export function reseal(tx: Tx, rowId: string, { now, newId }: EnqueueContext): boolean {
  const base = getBase(tx, rowId)
  if (base?.fields.value === undefined || changesOfRow(tx, rowId).length > 0) return false
  addEntry(tx, {
    id: newId(),
    kind: 'update',
    rowKind: 'variable',
    rowId,
    ancestors: pathFrom(tx, base.parentId),
    patch: { value: { ...base.fields.value, reseal: true } },
    base: base.fields,
    remoteId: null,
    leaves: [],
    seen: null,
    createdAt: now,
  })
  refreshRow(tx, rowId)
  return true
}

/**
 * Queues a variable's value to be sealed again if the service has brought an earlier one back. Called after the row's changes were dropped:
 * sending them would have sealed it.
 */
export function resealBroughtBack(tx: Tx, rowId: string, context: EnqueueContext): void {
  if (isBroughtBack(tx, rowId)) reseal(tx, rowId, context)
}

/** A base row that is a variable whose value is not bound to it. */
const isUnbound = sql<boolean>`kind = 'variable' AND sealed LIKE 'v1:%' AND substr(sealed, -44, 1) <> '.'`

/** Returns up to `limit` variables of base with unbound values, by local id, after `id`. */
export const unboundAfter = (tx: Tx, id: string, limit: number): { id: string; sealed: string }[] =>
  tx.all(
    build
      .selectFrom('base')
      .select(['id', 'sealed'])
      .where('id', '>', id)
      .where(isUnbound)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ sealed: string }>(),
  )

/** Returns up to `limit` variables of base whose values were last verified with another key, by local id, after `id`. */
export const ofOtherKeysAfter = (tx: Tx, keyId: string, id: string, limit: number): { id: string; sealed: string }[] =>
  tx.all(
    build
      .selectFrom('base')
      .select(['id', 'sealed'])
      .where('id', '>', id)
      .where('sealed', 'is not', null)
      .where('key_id', 'is not', keyId)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ sealed: string }>(),
  )

/** Whether base has an unbound value that this key opens. */
export const hasUnbound = (tx: Tx, keyId: string): boolean =>
  tx.get(build.selectFrom('base').select('id').where(isUnbound).where('tag', 'is not', null).where('key_id', '=', keyId).limit(1)) !==
  undefined
