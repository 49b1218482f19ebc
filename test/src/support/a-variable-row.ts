import type { VariableRow } from '../../../electron/bridge/rows.ts'

/** A row of the variables table that is synced: a number called PORT, unless said otherwise. */
export const aVariableRow = (parts: Partial<VariableRow> = {}): VariableRow => ({
  id: 'v',
  environmentId: 'e',
  name: 'PORT',
  type: 'number',
  isSecret: false,
  isEmpty: false,
  sync: 'synced',
  isUnsent: false,
  syncReason: null,
  changeId: null,
  conflict: null,
  updatedAt: null,
  updatedBy: null,
  rev: 0,
  trust: 'verified',
  ...parts,
})
