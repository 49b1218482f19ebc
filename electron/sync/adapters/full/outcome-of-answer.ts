import type { ChangeAnswer } from '../../../remote/remote.ts'
import { isOperation } from '../../../queue/entry.ts'
import type { Outcome, PushItem } from '../../port.ts'
import { outcomeOf } from '../shared/failures.ts'
import { partsOf } from '../shared/remote-rows.ts'
import type { Accept } from '../shared/value-rules.ts'

/** The outcome of an entry by the answer to its change. */
export function outcomeOfAnswer({ entry, seen }: PushItem, answer: ChangeAnswer, accept: Accept): Outcome {
  const { row, version, member } = partsOf(answer.record, accept)
  if (answer.status === 'done') {
    return {
      is: 'confirmed',
      row,
      ...(version === null ? {} : { version }),
      ...(member === null ? {} : { member }),
      ...(answer.counts === null ? {} : { counts: answer.counts }),
    }
  }
  const { error, missing } = answer
  if (error.kind === 'stale') {
    // With `seen` the service compared everything below the record, without it only the record.
    if (seen !== null && (entry.kind === 'delete' || entry.kind === 'rollback')) return { is: 'changed-below' }
    return isOperation(entry) ? { is: 'stale', current: null, member } : { is: 'stale', current: row }
  }
  if (error.kind === 'taken') return { is: 'taken', holder: row, ...(member === null ? {} : { member }), message: error.message }
  if (error.kind === 'missing') return { is: 'missing', what: missing ?? 'record', message: error.message }
  return outcomeOf(error)
}
