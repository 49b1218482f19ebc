import { isUnverified } from '../../cipher/stored-value.ts'
import { ok, type Result } from '../../bridge/result.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { hasTwoNamed, getVariable, getWorking } from '../../mirror/working-layer.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { notFound } from '../edits/refusals.ts'
import { isAsSeen } from '../edits/source-as-seen.ts'
import { moveVariable } from '../variables/move-variable.ts'
import { putVariable } from '../variables/put-variable.ts'

export interface CopyInput {
  rows: readonly { id: string; seen: Seen }[]
  environmentId: string
  /** The revision at which the user saw the target environment. */
  seen: Seen
  onTaken: 'skip' | 'overwrite'
  /** Move them instead. */
  move: boolean
}

export interface Copied {
  copied: number
  skipped: number
  overwritten: number
}

/**
 * Queues copies of variables in another environment, or their move to it. Values stay sealed. Skips rows that are already there or have no
 * value yet. A copy also skips rows that are Unverified or that others changed since. A move skips rows that were shown in the target and
 * have left it since. If others renamed or moved a row since, a taken name skips it instead of overwriting. Rows that no longer exist are
 * not counted.
 */
export function copyTo(tx: Tx, context: EditContext, { rows, environmentId, seen: seenThere, onTaken, move }: CopyInput): Result<Copied> {
  const environment = getWorking(tx, environmentId)
  if (environment?.kind !== 'environment') return notFound('environment')
  const counts: Copied = { copied: 0, skipped: 0, overwritten: 0 }
  const names = new Set<string>()
  for (const { id, seen } of rows) {
    const row = getVariable(tx, id)
    if (row === null) continue
    const { value } = row.fields
    const saw = seenRow(tx, id, seen)
    // The user agreed to overwrite the shown name. If others renamed the row since, another variable would be overwritten. If others moved
    // it since, the move may never happen.
    const isMeant = saw?.fields.name === row.fields.name && saw.parentId === row.parentId
    // While a conflict about a name is open, two rows have that name. One of them must not overwrite the other, and it is unknown which of
    // two to overwrite.
    const isOne = !names.has(row.fields.name) && !hasTwoNamed(tx, environmentId, row.fields.name)
    const ifTaken = isMeant && isOne ? onTaken : 'skip'
    // Based on a row that was in the target, a move would change nothing. The same user may have moved it there and discarded that: which of
    // the two an older screen showed is unknown.
    const isUnfit = move ? saw?.parentId === environmentId : value !== undefined && (isUnverified(value.sealed) || !isAsSeen(row, saw))
    const stays = row.parentId === environmentId || value === undefined || isUnfit
    const outcome = stays
      ? 'skipped'
      : move
        ? moveVariable(tx, context, row, environment, { onTaken: ifTaken, seen, seenThere })
        : putVariable(tx, context, environment, row.fields, ifTaken, seenThere)
    counts[outcome] += 1
    if (outcome !== 'skipped') names.add(row.fields.name)
  }
  return ok(counts)
}
