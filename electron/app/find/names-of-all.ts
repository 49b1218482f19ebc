import { followTouches } from '../../mirror/follow-touches.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { MirrorReader } from '../../mirror/open-reader.ts'
import type { Touch } from '../../mirror/touch-log.ts'
import { readNames, refreshNames, type WorkspaceNames } from './workspace-names.ts'

/** The names of all workspaces, read on first use. The names of open workspaces are updated after each write. */
export interface NamesOfAll {
  open(workspaceId: string, mirror: Mirror): Promise<WorkspaceNames>
  /** Returns the names of a workspace that is not open, so can't change; null: it can't be read. */
  closed(workspaceId: string, openReader: () => MirrorReader | null): Promise<WorkspaceNames | null>
}

/** If more rows than this have changed, reading all of them again is quicker. */
const mostRows = 2000

export function createNamesOfAll(): NamesOfAll {
  const ofOpen = followTouches<WorkspaceNames, null>(readNames, update)
  const ofClosed = new Map<string, Promise<WorkspaceNames | null>>()
  return {
    open(workspaceId, mirror) {
      ofClosed.delete(workspaceId)
      return ofOpen(mirror, null)
    },
    closed(workspaceId, openReader) {
      const before = ofClosed.get(workspaceId)
      if (before !== undefined) return before
      const names = readClosed(openReader)
      ofClosed.set(workspaceId, names)
      // A failed read is tried again.
      const forget = () => void ofClosed.delete(workspaceId)
      names.then((found) => found ?? forget(), forget)
      return names
    },
  }
}

async function update(mirror: Mirror, names: WorkspaceNames, touches: readonly Touch[]): Promise<WorkspaceNames | null> {
  if (new Set(touches.map(({ id }) => id)).size > mostRows) return null
  if (touches.length > 0) await refreshNames(mirror, names, touches)
  return names
}

async function readClosed(openReader: () => MirrorReader | null): Promise<WorkspaceNames | null> {
  const reader = openReader()
  if (reader === null) return null
  try {
    return await readNames(reader)
  } finally {
    reader.close()
  }
}
