import type { Push, Table } from '../../bridge/contract.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { readNames, type WorkspaceNames } from './workspace-names.ts'

/** The names of workspaces, read when they are first asked for, and again after they changed. */
export interface NamesOfAll {
  of(workspaceId: string, mirror: Mirror): Promise<WorkspaceNames>
  /** Hears what changed. */
  onPush(push: Push): void
}

interface Kept {
  mirror: Mirror
  /** What was changed after this reading began is not in it. */
  stale: boolean
  names: Promise<WorkspaceNames>
}

const named: readonly Table[] = ['projects', 'environments', 'variables']

export function createNamesOfAll(): NamesOfAll {
  const kept = new Map<string, Kept>()
  return {
    of(workspaceId, mirror) {
      const before = kept.get(workspaceId)
      if (before !== undefined && !before.stale && before.mirror === mirror) return before.names
      // One reading at a time: keys pressed while it runs wait for the same, and the next after it reads what came in between.
      const names = (before?.names ?? Promise.resolve(null)).catch(() => null).then(() => readNames(mirror))
      const now: Kept = { mirror, stale: false, names }
      kept.set(workspaceId, now)
      names.catch(() => {
        if (kept.get(workspaceId) === now) kept.delete(workspaceId)
      })
      return names
    },
    onPush({ workspaceId, tables }) {
      if (!tables.some((table) => named.includes(table))) return
      for (const [id, each] of kept) if (workspaceId === null || workspaceId === id) each.stale = true
    },
  }
}
