import type { QueueRow, RowSync } from '../../electron/bridge/rows.ts'
import { changeName } from './change-words.ts'

/** What was discarded, said once it is done. */
export const discardedWords = (change: Parameters<typeof discardWords>[0]): string =>
  discardWords(change)
    .title.replace(/^Discard/, 'Discarded')
    .replace(/\?$/, '')

/** The question before an unsent change is discarded, and the consequence. */
export const discardWords = (
  change: Pick<QueueRow, 'kind' | 'name'> & { state?: RowSync | undefined },
): { title: string; text: string } => {
  const name = changeName(change)
  /** The answer to its request may have been lost: it is not known whether the service did it. */
  const isUnsure = change.state === 'failed' || change.state === 'sending'
  if (change.state === 'conflict' && (change.kind === 'create' || change.kind === 'update'))
    return { title: `Discard your change to ${name}?`, text: 'It stays as it is on the service.' }
  switch (change.kind) {
    case 'snapshot':
      return {
        title: change.name === '' ? 'Discard this version?' : `Discard version ${name}?`,
        text: isUnsure
          ? 'If the service has already saved it, discarding it here doesn’t delete it there.'
          : 'It hasn’t been saved yet. The environment stays as it is.',
      }
    case 'rollback':
      return {
        title: `Discard the rollback to ${name}?`,
        text: `${isUnsure ? unsure('already rolled the environment back') : 'The environment stays as it is.'} Changes queued after it will be sent.`,
      }
    case 'invite':
      return {
        title: `Discard the invitation for ${name}?`,
        text: isUnsure ? 'If it has already been sent, discarding it here doesn’t cancel it.' : 'It hasn’t been sent yet.',
      }
    case 'set-role':
      return {
        title: `Discard the role change for ${name}?`,
        text: isUnsure ? unsure('already changed their role') : 'Their role stays as it is.',
      }
    case 'remove':
      return {
        title: `Discard the removal of ${name}?`,
        text: isUnsure
          ? 'If the service has already removed them, discarding this doesn’t bring them back.'
          : 'It hasn’t been sent yet. They stay a member.',
      }
    case 'create':
      return {
        title: `Discard ${name}?`,
        text: `This deletes it, along with any changes that depend on it.${change.state === 'sending' ? ' If the service has already created it, it comes back at the next sync.' : ''}`,
      }
    case 'delete':
      return {
        title: `Discard the deletion of ${name}?`,
        text: isUnsure
          ? 'If the service has already deleted it, discarding this doesn’t bring it back.'
          : 'It comes back as it was before you deleted it.',
      }
    case 'update':
      return {
        title: `Discard the change to ${name}?`,
        text: isUnsure
          ? `${unsure('already made it')} Later changes to it stay queued.`
          : 'It goes back to its last synced state. Later changes to it stay queued.',
      }
  }
}

const unsure = (did: string): string => `If the service has ${did}, discarding this doesn’t undo that.`
