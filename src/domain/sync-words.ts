import { numberText } from './number-text.ts'
import type { QueueRow, RowSync, SyncStatus } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

// `isAlone` below: the workspace exists only on this computer. Nothing is synced then, so its changes are saved instead.

const rowWords: { readonly [S in RowSync]: string } = {
  synced: 'Synced',
  queued: 'Saved on this computer, not synced yet',
  sending: 'Sending',
  blocked: 'This service doesn’t support this change',
  conflict: 'Someone else changed it too',
  failed: 'Rejected by the service',
}
const rowWordsAlone: typeof rowWords = { ...rowWords, synced: 'Saved', queued: 'Waiting to be saved in this workspace', sending: 'Saving' }

/** The tip of a row's sync mark: the reason if there is one, else the plain meaning of the state. */
export const rowSyncWords = (sync: RowSync, reason: string | null, isAlone: boolean): string =>
  reason ?? (isAlone ? rowWordsAlone : rowWords)[sync]

/** The label of a sync mark that opens the change. */
export const lookWords = (row: { name: string; sync: RowSync; syncReason: string | null }, isAlone: boolean): string => {
  const words = rowSyncWords(row.sync, row.syncReason, isAlone)
  return `${words}${/[.”]$/.test(words) ? '' : '.'} Open the change to ${row.name}`
}

const stateWords: { readonly [S in RowSync]: string } = {
  synced: 'Synced',
  queued: 'Queued',
  sending: 'Sending',
  blocked: 'Blocked',
  conflict: 'Conflict',
  failed: 'Rejected',
}
const stateWordsAlone: typeof stateWords = { ...stateWords, synced: 'Saved', sending: 'Saving' }

/** One word for the sync state of a row or a change. */
export const syncStateWord = (state: RowSync, isAlone: boolean): string => (isAlone ? stateWordsAlone : stateWords)[state]

/** The same for a change. While it isn't known whether the service did it, nothing is being sent. */
export const changeStateWord = ({ state, reason }: Pick<QueueRow, 'state' | 'reason'>, isAlone: boolean): string =>
  state === 'sending' && reason !== null ? 'Unconfirmed' : syncStateWord(state, isAlone)

/** The few words in the sync pill. */
export const pillWords = (status: SyncStatus, isAlone: boolean): string => {
  const queued = `${numberText(status.queued)} queued`
  const offline = isAlone ? 'Not running' : 'Offline'
  const syncing = isAlone ? 'Saving' : 'Syncing'
  switch (status.state) {
    case 'synced':
      return isAlone ? 'Saved' : 'Synced'
    case 'syncing':
      return status.queued > 0 ? `${syncing} ${numberText(status.queued)}` : syncing
    case 'queued':
      return queued
    case 'offline':
      return status.queued > 0 ? `${offline} · ${queued}` : offline
    case 'attention':
      if (status.unverified > 0 && status.attention === 0) return `${numberText(status.unverified)} Unverified`
      return status.attention > 0 ? counted(status.attention + status.unverified, 'needs attention', 'need attention') : 'Needs attention'
    case 'paused':
      if (status.attention > 0) return `Paused · ${counted(status.attention, 'needs attention', 'need attention')}`
      return status.queued > 0 ? `Paused · ${queued}` : 'Paused'
  }
}

/** The label of the sync pill, and what a screen reader hears when the state changes. */
export const toldWords = (status: SyncStatus, isAlone: boolean): string => `${isAlone ? 'Changes' : 'Sync'}: ${pillWords(status, isAlone)}`

/** When queued changes are sent: `once you resume`; null: at once. Sync can have a problem while the state says that something else waits. */
export const laterWords = (status: Pick<SyncStatus, 'state' | 'isPaused' | 'message'> | undefined): string | null => {
  if (status?.isPaused) return 'once you resume'
  if (status?.state === 'offline') return 'when you’re back online'
  return status === undefined || status.message === null ? null : 'once sync works again'
}

/** Whether what waits to be sent, or has waited, goes out now. While sync tries to connect again, that is not known. */
export const isReachable = (status: Pick<SyncStatus, 'state' | 'isPaused' | 'message'> | undefined): boolean =>
  status !== undefined && status.state !== 'syncing' && laterWords(status) === null

/** How many unsent changes there are, and how many of them wait for the user. */
export const unsentWords = (unsent: number, attention: number): string => {
  if (attention === 0) return counted(unsent, 'unsent change')
  if (attention >= unsent) return `${counted(unsent, 'unsent change')} ${unsent === 1 ? 'needs' : 'need'} attention`
  return `${numberText(attention)} of ${counted(unsent, 'unsent change')} ${attention === 1 ? 'needs' : 'need'} attention`
}
