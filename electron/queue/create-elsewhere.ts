import { isMove, type Change } from './entry.ts'
import type { EntryEvent } from './transition.ts'
import { replayRow } from './replay.ts'

/** What is left of a variable that was to be created in a deleted parent: its move is the create now. */
export interface CreatedElsewhere {
  /** Changes that are part of that create. */
  merged: readonly Change[]
  move: Change
  event: Extract<EntryEvent, { is: 'recreate' }>
}

/**
 * A variable that waits to be created, and was moved to another environment since, with something between the two that kept them apart in the
 * queue. When the environment it was to be created in is given up, it is not: it is created where it went. `changes`: all of its row, in order.
 * Null: no such variable.
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
  // Nothing of a move is sent before its row is created: its id was never used.
  const event = { is: 'recreate' as const, id, remoteId: create.remoteId, conflict: null, reason: null, ...bytes }
  return { merged: changes.slice(0, at), move, event }
}
