import type { VersionVariableRow } from '../../electron/bridge/rows.ts'

const words: { readonly [S in VersionVariableRow['state']]: string } = {
  added: 'Only in the version: rolling back restores it',
  updated: 'Different: rolling back changes it',
  removed: 'Not in the version: rolling back deletes it',
  same: 'Same',
}

/** How a variable of a version differs from now, for screen readers. */
export const diffWords = (state: VersionVariableRow['state']): string => words[state]
