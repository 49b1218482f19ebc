import type { QueueRow } from '../../electron/bridge/rows.ts'
import { fieldName } from './field-name.ts'
import { rollbackCountWords } from './rollback-words.ts'

/** Describes an unsent change in a few words, shown next to its name. */
export const changeWords = ({ kind, subject, fields, counts }: Pick<QueueRow, 'kind' | 'subject' | 'fields' | 'counts'>): string => {
  switch (kind) {
    case 'create':
      return `New ${subject}`
    case 'update':
      return fields.length > 0 ? fields.map(fieldName).join(', ') : `Changed ${subject}`
    case 'delete':
      return `Deleted ${subject}`
    case 'snapshot':
      return 'New version'
    case 'rollback':
      return counts === null ? 'Rollback' : `Rollback: ${rollbackCountWords(counts)}`
    case 'invite':
      return 'Invitation'
    case 'set-role':
      return 'New role'
    case 'remove':
      return 'Removed member'
  }
}

/**
 * Why an unsent change waits, and what to do; null: only for its turn. Another change that it waits for matters more than an earlier error.
 */
export const reasonWords = ({ reason, waitsFor }: Pick<QueueRow, 'reason' | 'waitsFor'>): string | null =>
  waitsFor === null ? reason : `Waiting for the ${waitsFor.subject} ${waitsFor.name}. Resolve or discard that change first.`

/** The same for a line of a list: the first sentence, without its full stop. */
export const shortReasonWords = (change: Pick<QueueRow, 'reason' | 'waitsFor'>): string | null =>
  reasonWords(change)
    ?.split(/(?<=[.!?])\s/, 1)[0]
    ?.replace(/\.$/, '') ?? null

/** The name of a change in a list; a version that has no name yet is the "Next version". */
export const changeName = ({ kind, name }: Pick<QueueRow, 'kind' | 'name'>): string =>
  name === '' && kind === 'snapshot' ? 'Next version' : name
