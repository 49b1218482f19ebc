import type { RestoreRow, WorkspaceRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

const day = (at: string): string => new Date(at).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' })

/** Says what a restore will do, and which parts may be missing afterwards. */
export const restoreWords = ({ newestBackup }: NonNullable<WorkspaceRow['serviceDamage']>): string => {
  const changes = 'Projects, environments and variables are kept, and unsent changes stay queued.'
  if (newestBackup === null)
    return `There’s no backup. Holdfast builds a new database from what you see here. ${changes} Versions and members are lost.`
  const since = day(newestBackup)
  return `The newest backup is from ${since}. ${changes} Versions saved after it are lost, and what you deleted after it can come back.`
}

/** The result of a restore. */
export const restoredWords = ({ from, refused }: RestoreRow): string => {
  const source = from === null ? 'Restored without a backup.' : `Restored from the backup of ${day(from)}.`
  return refused === 0 ? source : `${source} ${counted(refused, 'record')} couldn’t be restored.`
}
