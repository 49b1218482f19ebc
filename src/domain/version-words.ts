import type { RowSync } from '../../electron/bridge/rows.ts'

/** What the list says of a version that is not saved yet, where no reason is known. */
export const waitingWords = (sync: RowSync): string => (sync === 'sending' ? 'Saving' : 'Pending')
