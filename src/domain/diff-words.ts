import type { VersionVariableRow } from '../../electron/bridge/rows.ts'

const words: { readonly [S in VersionVariableRow['state']]: string } = {
  added: 'only in the version: a rollback brings it back',
  updated: 'differs: a rollback changes it',
  removed: 'not in the version: a rollback removes it',
  same: 'the same',
}

/** How a variable of a version stands against now, as said to somebody who hears it. */
export const diffWords = (state: VersionVariableRow['state']): string => words[state]
