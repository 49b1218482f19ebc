import type { EnvironmentRow } from '../../../electron/bridge/rows.ts'

/** An environment of the sidebar that is synced: one called Production with one variable, unless said otherwise. */
export const anEnvironmentRow = (parts: Partial<EnvironmentRow> = {}): EnvironmentRow => ({
  id: 'e',
  projectId: 'p',
  name: 'Production',
  slug: 'production',
  variableCount: 1,
  sync: 'synced',
  isUnsent: false,
  rev: 1,
  ...parts,
})
