import type { VersionRow } from '../../../electron/bridge/rows.ts'

/** A version of an environment that is synced: one called v1 with one variable, unless said otherwise. */
export const aVersionRow = (parts: Partial<VersionRow> = {}): VersionRow => ({
  id: 'v1',
  environmentId: 'e',
  label: 'v1',
  note: '',
  variableCount: 1,
  createdAt: '2026-11-21T00:00:00Z',
  createdBy: null,
  isMirrored: true,
  sync: 'synced',
  syncReason: null,
  changeId: null,
  ...parts,
})
