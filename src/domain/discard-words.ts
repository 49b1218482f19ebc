import type { QueueRow } from '../../electron/bridge/rows.ts'
import { changeName } from './change-words.ts'

/** The question before an unsent change is discarded: what it asks, and what it would mean. */
export const discardWords = (change: Pick<QueueRow, 'kind' | 'name'>): { title: string; text: string } => {
  const name = changeName(change)
  switch (change.kind) {
    case 'snapshot':
      return { title: change.name === '' ? 'Save no version?' : `Save no version ${name}?`, text: 'The environment stays as it is.' }
    case 'rollback':
      return { title: `Give up the rollback to ${name}?`, text: 'The environment stays as it is, and what waits behind it is sent.' }
    case 'invite':
      return { title: `Withdraw the invitation of ${name}?`, text: 'It was not sent yet.' }
    case 'set-role':
      return { title: `Leave the role of ${name}?`, text: 'The role stays what it is on the service.' }
    case 'remove':
      return { title: `Keep ${name}?`, text: 'The removal was not sent yet: they stay a member.' }
    default:
      return {
        title: `Discard the change of ${name}?`,
        text: 'What you typed is dropped, with anything built on it. The row shows again what the service has.',
      }
  }
}
