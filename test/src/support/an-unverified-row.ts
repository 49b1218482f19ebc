import type { UnverifiedRow } from '../../../electron/bridge/rows.ts'

/** A variable whose value is Unverified, with this name as its id too. */
export const anUnverifiedRow = (name: string): UnverifiedRow => ({
  id: name,
  name,
  where: 'Shop / Production',
  doubt: 'unbound',
  canAccept: true,
  canRestore: true,
  lastName: null,
  updatedAt: null,
  updatedBy: null,
  rev: 1,
})
