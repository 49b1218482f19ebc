import type { AppError } from '../../bridge/app-error.ts'
import type { WorkspaceRow } from '../../bridge/rows.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import { getState } from '../../mirror/workspace-state.ts'
import { apiKeyFor } from '../keys/api-key-entry.ts'
import { apiKeyName, workspaceKeyName } from '../keys/key-names.ts'
import { workspacePaths, type FoundWorkspace } from './workspace-folders.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspaceSession } from './workspace-session.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

/** Makes the rows of the list of workspaces. Caches what it reads from files and the key store, until `forget`. */
export interface Listing {
  rowOf(session: WorkspaceSession): WorkspaceRow
  /** Returns the rows of all workspaces in the data folder, oldest first. */
  rows(): Promise<WorkspaceRow[]>
  forget(): void
}

/** Returns the name that the service last said; null: it said none. */
const keptName = (mirror: Mirror): string | null => mirror.snapshot((tx) => getState(tx, 'name'))

const rowFrom = (
  info: WorkspaceInfo,
  name: string | null,
  needs: WorkspaceRow['needs'],
  problem: AppError | null,
  serviceDamage: WorkspaceRow['serviceDamage'] = null,
): WorkspaceRow => ({
  id: info.id,
  name: name ?? info.name,
  kind: info.kind,
  baseUrl: info.baseUrl,
  needs,
  problem: problem?.message ?? null,
  repair: problem?.kind === 'database-damaged' ? 'damaged' : problem?.kind === 'database-missing' ? 'missing' : null,
  serviceDamage,
  undoing: null,
})

const damagedRow = ({ id, problem }: { id: string; problem: string }): WorkspaceRow => ({
  id,
  name: 'Damaged workspace',
  kind: 'remote',
  baseUrl: null,
  needs: [],
  problem,
  repair: null,
  serviceDamage: null,
  undoing: null,
})

export const createListing = ({ keys, folders, sessions }: WorkspacesContext): Listing => {
  const rowsRead = new Map<string, Promise<WorkspaceRow>>()

  const readDatabase = (id: string): { name: string | null; problem: AppError | null } => {
    // It must not be opened during a repair.
    const retired = sessions.retiredFor(id)
    if (retired !== null) return { name: null, problem: retired }
    const mirror = openMirror(workspacePaths(folders.pathOf(id)).mirror, { thorough: sessions.isSuspected(id), mustExist: true })
    if (!mirror.ok) return { name: null, problem: mirror.error }
    const name = keptName(mirror.value)
    mirror.value.close()
    return { name, problem: null }
  }

  const readRow = async (info: WorkspaceInfo): Promise<WorkspaceRow> => {
    const { name, problem } = readDatabase(info.id)
    const row = rowFrom(info, name, await missingKeys(keys, info), problem)
    // Temporary problems, such as a full disk or a lock, are not cached.
    if (problem !== null && problem.kind !== 'database-damaged' && problem.kind !== 'database-newer') rowsRead.delete(info.id)
    return row
  }

  const readRowOnce = (info: WorkspaceInfo): Promise<WorkspaceRow> => {
    const before = rowsRead.get(info.id)
    if (before !== undefined) return before
    const row = readRow(info)
    rowsRead.set(info.id, row)
    row.catch(() => rowsRead.delete(info.id))
    return row
  }

  const rowOf = (session: WorkspaceSession): WorkspaceRow => {
    const damage = session.serviceDamage()
    const newestBackup = damage?.newestBackup ?? null
    const at = newestBackup === null ? null : new Date(newestBackup).toISOString()
    return rowFrom(session.info, keptName(session.mirror), session.needs(), null, damage === null ? null : { newestBackup: at })
  }

  const toRow = async (found: FoundWorkspace): Promise<WorkspaceRow> => {
    if ('problem' in found) return damagedRow(found)
    const session = sessions.opened(found.id)
    if (session !== null) return rowOf(session)
    return { ...(await readRowOnce(found.info)), undoing: sessions.undoing(found.id) }
  }

  return {
    rowOf,
    // Ids are UUIDv7, so they sort by the time at which the workspaces were created.
    rows: async () => Promise.all((await folders.list()).map(toRow)),
    forget: () => rowsRead.clear(),
  }
}

/** Returns the keys that are missing in the store. Empty if the store can't be read now. */
async function missingKeys(keys: WorkspacesContext['keys'], info: WorkspaceInfo): Promise<WorkspaceRow['needs']> {
  const wanted: ['api-key' | 'workspace-key', string][] = [['workspace-key', workspaceKeyName(info.id)]]
  // An embedded service needs no API key.
  if (info.kind === 'remote') wanted.unshift(['api-key', apiKeyName(info.id)])
  // The status comes first: `store()` may wait for the user, and the list must not.
  const { state } = await keys.status()
  if (state === 'unchosen') return wanted.map(([need]) => need)
  if (state === 'locked') return []
  const store = await keys.store()
  if (!store.ok) return []
  const missing: WorkspaceRow['needs'] = []
  for (const [need, name] of wanted) {
    const kept = await store.value.get(name)
    if (kept.ok && (kept.value === null || (need === 'api-key' && apiKeyFor(info.baseUrl, kept.value) === null))) missing.push(need)
  }
  return missing
}
