import { numberText } from './number-text.ts'
import type { RowSync, SyncStatus } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

const rowWords: { readonly [S in RowSync]: string } = {
  synced: 'Synced',
  queued: 'Saved on this computer, not synced yet',
  sending: 'Sending',
  blocked: 'This service can’t take this change',
  conflict: 'Someone else changed it too',
  failed: 'Rejected by the service',
}

/** The tip of a row's sync mark: the reason if there is one, else the plain meaning of the state. */
export const rowSyncWords = (sync: RowSync, reason: string | null): string => reason ?? rowWords[sync]

/** The label of a sync mark that opens the change. */
export const lookWords = ({ name, sync, syncReason }: { name: string; sync: RowSync; syncReason: string | null }): string => {
  const words = rowSyncWords(sync, syncReason)
  return `${words}${/[.”]$/.test(words) ? '' : '.'} Open the change to ${name}`
}

const queueWords: { readonly [S in Exclude<RowSync, 'synced'>]: string } = {
  queued: 'Queued',
  sending: 'Sending',
  blocked: 'Blocked',
  conflict: 'Conflict',
  failed: 'Rejected',
}

/** One word for the state of an unsent change. */
export const queueStateWord = (state: Exclude<RowSync, 'synced'>): string => queueWords[state]

/** The few words in the sync pill. */
export const pillWords = (status: SyncStatus): string => {
  switch (status.state) {
    case 'synced':
      return 'Synced'
    case 'syncing':
      return status.queued > 0 ? `Syncing ${numberText(status.queued)}` : 'Syncing'
    case 'queued':
      return `${numberText(status.queued)} queued`
    case 'offline':
      return status.queued > 0 ? `Offline · ${numberText(status.queued)} queued` : 'Offline'
    case 'attention':
      if (status.unverified > 0 && status.attention === 0) return `${numberText(status.unverified)} Unverified`
      return status.attention > 0 ? counted(status.attention + status.unverified, 'needs attention', 'need attention') : 'Needs attention'
    case 'paused':
      if (status.attention > 0) return `Paused · ${counted(status.attention, 'needs attention', 'need attention')}`
      return status.queued > 0 ? `Paused · ${numberText(status.queued)} queued` : 'Paused'
  }
}

/** How many unsent changes there are, and how many of them wait for the user. */
export const unsentWords = (unsent: number, attention: number): string => {
  if (attention === 0) return counted(unsent, 'unsent change')
  if (attention >= unsent) return `${counted(unsent, 'unsent change')} ${unsent === 1 ? 'needs' : 'need'} attention`
  return `${numberText(attention)} of ${counted(unsent, 'unsent change')} ${attention === 1 ? 'needs' : 'need'} attention`
}
