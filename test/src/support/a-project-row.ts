import type { ProjectRow } from '../../../electron/bridge/rows.ts'

/** A project of the sidebar that is synced: one called Fernweh, unless said otherwise. */
export const aProjectRow = (parts: Partial<ProjectRow> = {}): ProjectRow => ({
  id: 'p',
  name: 'Fernweh',
  slug: 'fernweh',
  sync: 'synced',
  isUnsent: false,
  rev: 1,
  ...parts,
})
