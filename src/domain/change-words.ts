import type { QueueRow } from '../../electron/bridge/rows.ts'
import { fieldName } from './field-name.ts'
import { rollbackCountWords } from './rollback-words.ts'

/** What an unsent change does, in a few words shown next to its name. */
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

/** Why an unsent change waits, as one sentence; null: for its turn. */
export const reasonWords = ({ reason, waitsFor }: Pick<QueueRow, 'reason' | 'waitsFor'>): string | null =>
  reason ?? (waitsFor === null ? null : `Waiting for the ${waitsFor.subject} ${waitsFor.name}. Resolve or discard that change first.`)

/** What a change is called in a list: a version that the service has yet to name is simply the next one. */
export const changeName = ({ kind, name }: Pick<QueueRow, 'kind' | 'name'>): string =>
  name === '' && kind === 'snapshot' ? 'Next version' : name
