import type { VersionVariableRow, RowSync } from '../../electron/bridge/rows.ts'

/** The `v<number>` that the service is likely to give the next version. `waiting`: how many unnamed ones are to be saved before it. */
export const nextLabel = (labels: readonly (string | null)[]): string => {
  const numbers = labels.flatMap((label) => (label !== null && /^v\d{1,9}$/.test(label) ? [Number(label.slice(1))] : []))
  const waiting = labels.filter((label) => label === null).length
  return `v${numbers.reduce((most, number) => Math.max(most, number), 0) + waiting + 1}`
}

const words: { readonly [S in VersionVariableRow['state']]: string } = {
  added: 'Only in the version: rolling back adds it',
  updated: 'Different: rolling back changes it',
  removed: 'Not in the version: rolling back deletes it',
  same: 'Same',
}

/** How a variable of a version differs from now, for screen readers. */
export const diffWords = (state: VersionVariableRow['state']): string => words[state]

/** The state of a version that isn't saved yet, where no reason is known. */
export const waitingWords = (sync: RowSync): string => (sync === 'sending' ? 'Saving' : 'Pending')
