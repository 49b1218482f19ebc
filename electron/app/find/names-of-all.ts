import type { Mirror } from '../../mirror/mirror.ts'
import type { MirrorReader } from '../../mirror/open-reader.ts'
import { readNames, refreshNames, type WorkspaceNames } from './workspace-names.ts'

/** The names of all workspaces, read on first use. The names of open workspaces are updated after each write. */
export interface NamesOfAll {
  open(workspaceId: string, mirror: Mirror): Promise<WorkspaceNames>
  /** Returns the names of a workspace that is not open, so can't change; null: it can't be read. */
  closed(workspaceId: string, openReader: () => MirrorReader | null): Promise<WorkspaceNames | null>
}

interface Kept {
  mirror: Mirror
  /** The names include all touches before this mark. */
  mark: number
  names: WorkspaceNames
}

/** If more rows than this have changed, reading all of them again is quicker. */
const mostRows = 2000

export function createNamesOfAll(): NamesOfAll {
  const ofOpen = new Map<string, Promise<Kept>>()
  const ofClosed = new Map<string, Promise<WorkspaceNames | null>>()
  return {
    async open(workspaceId, mirror) {
      ofClosed.delete(workspaceId)
      // One read at a time: a search during a read waits for it, and then reads the rows written in the meantime.
      const before = ofOpen.get(workspaceId)?.catch(() => null) ?? Promise.resolve(null)
      const now = before.then((kept) => upToDate(mirror, kept))
      ofOpen.set(workspaceId, now)
      return (await now).names
    },
    closed(workspaceId, openReader) {
      ofOpen.delete(workspaceId)
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

async function upToDate(mirror: Mirror, kept: Kept | null): Promise<Kept> {
  // Mark before reading: a row written in between is then read twice, not missed.
  const mark = mirror.touches.mark()
  const touches = kept?.mirror === mirror ? mirror.touches.since(kept.mark) : null
  if (kept === null || touches === null) return { mirror, mark, names: await readNames(mirror) }
  if (new Set(touches.map(({ id }) => id)).size > mostRows) return { mirror, mark, names: await readNames(mirror) }
  if (touches.length > 0) await refreshNames(mirror, kept.names, touches)
  return { ...kept, mark }
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
