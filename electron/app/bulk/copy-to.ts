import { ok, type Result } from '../../bridge/result.ts'
import type { Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking } from '../../mirror/working-layer.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { notFound } from '../edits/refusals.ts'
import { deleteVariable } from '../variables/edit-variable.ts'
import { putVariable } from '../variables/put-variable.ts'

export interface CopyInput {
  rows: readonly { id: string; seen: Seen }[]
  environmentId: string
  /** What is there already, as its user saw it. */
  seen: Seen
  onTaken: 'skip' | 'overwrite'
  /** Delete each one from where it was, once the server has the copy. */
  move: boolean
}

export interface Copied {
  copied: number
  skipped: number
  overwritten: number
}

/**
 * Queues copies of variables in another environment, values as they are sealed. One that is there already, or has no value yet,
 * is skipped; one that is gone is left out of the counts.
 */
export function copyTo(tx: Tx, context: EditContext, { rows, environmentId, seen: seenThere, onTaken, move }: CopyInput): Result<Copied> {
  const environment = getWorking(tx, environmentId)
  if (environment?.kind !== 'environment') return notFound('environment')
  const counts: Copied = { copied: 0, skipped: 0, overwritten: 0 }
  for (const { id, seen } of rows) {
    const row = getWorking(tx, id)
    if (row?.kind !== 'variable') continue
    const stays = row.parentId === environmentId || row.fields.value === undefined
    const outcome = stays ? 'skipped' : putVariable(tx, context, environment, row.fields, onTaken, seenThere)
    counts[outcome] += 1
    if (move && outcome !== 'skipped') {
      const copy = findWorking(tx, 'variable', environmentId, row.fields.name ?? '')
      deleteVariable(tx, context, id, seen, copy?.id)
    }
  }
  return ok(counts)
}
