import { sql } from 'kysely'
import { getBase } from './base-layer.ts'
import type { EnqueueContext } from './enqueue.ts'
import { addEntry, changesOfRow } from './queue-layer.ts'
import { build, type Tx } from './tx.ts'
import { pathFrom, refreshRow } from './working-layer.ts'

/** Queues a variable's value as it is, to be sealed anew when it is sent. One with unsent changes waits for those; false: nothing was queued. */
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

/** What the service shows of a variable, and is bound to none. */
const isUnbound = sql<boolean>`kind = 'variable' AND sealed LIKE 'v1:%' AND substr(sealed, -44, 1) <> '.'`

/** Variables whose values are bound to none, as the service last showed them, after a local id: so many at most. */
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

/** Whether a value that the key of this id opens is bound to no variable. */
export const hasUnbound = (tx: Tx, keyId: string): boolean =>
  tx.get(build.selectFrom('base').select('id').where(isUnbound).where('tag', 'is not', null).where('key_id', '=', keyId).limit(1)) !==
  undefined
