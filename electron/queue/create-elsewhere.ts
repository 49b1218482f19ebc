import { isMove, type Change } from './entry.ts'
import type { EntryEvent } from './transition.ts'
import { replayRow } from './replay.ts'

/** How to create a variable in the environment it was moved to: its move becomes the create, because the first environment is deleted. */
export interface CreatedElsewhere {
  /** Changes that the new create includes: they leave the queue. */
  merged: readonly Change[]
  move: Change
  event: Extract<EntryEvent, { is: 'recreate' }>
}

/**
 * Returns how to create an unsent variable directly in the environment that it was moved to, when the environment of its create is
 * discarded. Null: the row is not an unsent variable that was moved. A create and a move usually merge; here an entry between them
 * prevented that. `changes`: all changes of the row, in order.
 */
export function createElsewhere(changes: readonly Change[]): CreatedElsewhere | null {
  const [create] = changes
  const at = changes.findLastIndex((change) => isMove(change))
  const move = changes[at]
  if (create?.kind !== 'create' || create.remoteId === null || move === undefined) return null
  const row = replayRow(null, changes)
  const moved = replayRow(null, changes.slice(0, at + 1))
  if (row === null || moved === null || row.parentId === create.ancestors[0]) return null
  const { id, ancestors } = move
  const bytes = { patch: moved.fields, base: null, ancestors, leaves: [] }
  // A move is never sent before its row is created: its id is unused.
  const event = { is: 'recreate' as const, id, remoteId: create.remoteId, conflict: null, reason: null, ...bytes }
  return { merged: changes.slice(0, at), move, event }
}
