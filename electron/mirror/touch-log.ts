import type { Database } from 'better-sqlite3'
import type { RowKind } from '../queue/entry.ts'

/** A written row of the working layer, with its name before or after the write. */
export interface Touch {
  id: string
  kind: RowKind
  parentId: string | null
  name: string | null
}

/** The recently written rows of the working layer, so that a cache can be updated row by row. */
export interface TouchLog {
  /** Returns the number of touches so far; call it before a read. Never call it within a write, which may be rolled back. */
  mark(): number
  /** Returns the touches after a mark, oldest first, including those of writes that were rolled back; null: there were too many to keep. */
  since(mark: number): readonly Touch[] | null
}

/** With more touches than this, reading everything again is as quick. */
const kept = 8000

const touch = (row: 'NEW' | 'OLD') => `SELECT touched(${row}.id, ${row}.kind, ${row}.parent_id, ${row}.name)`

/** Temporary triggers: they belong to this connection, are not stored in the file, and run at every write to the table. */
const triggers = [
  `CREATE TEMP TRIGGER touched_insert AFTER INSERT ON main.working BEGIN ${touch('NEW')}; END`,
  `CREATE TEMP TRIGGER touched_update AFTER UPDATE ON main.working BEGIN ${touch('OLD')}; ${touch('NEW')}; END`,
  `CREATE TEMP TRIGGER touched_delete AFTER DELETE ON main.working BEGIN ${touch('OLD')}; END`,
]

/**
 * Logs the rows of the working layer that `writer` changes, the only connection that writes. It starts at the first mark: a mirror that no
 * screen shows doesn't pay for it.
 */
export function logTouches(writer: Database): TouchLog {
  let dropped = 0
  let touches: Touch[] = []
  writer.function('touched', (id: string, kind: RowKind, parentId: string | null, name: string | null) => {
    if (touches.length >= 2 * kept) {
      touches = touches.slice(-kept)
      dropped += kept
    }
    touches.push({ id, kind, parentId, name })
    return null
  })
  let logs = false
  return {
    mark() {
      if (!logs) for (const trigger of triggers) writer.exec(trigger)
      logs = true
      return dropped + touches.length
    },
    since: (mark) => (mark < dropped ? null : touches.slice(mark - dropped)),
  }
}
