import type { Entry } from '../../queue/entry.ts'
import type { EntryEvent } from '../../queue/transition.ts'
import { conflictReason } from './conflict-reason.ts'

const parentDeleted = 'The project or environment it belongs to no longer exists on the service. Copy what you need, then discard it.'

/** How long an entry waits if everything must be read before it is sent. */
const unreadPauseMs = 15_000
const unread = 'This waits until an earlier change is confirmed and synced back.'

/** The facts about an entry that is about to be sent. */
export interface StartFacts {
  /** Whether others added or changed something below the row since the user chose to delete it. */
  hasNews: boolean
  /** Why the service can't take the entry, as a sentence; null: it can. */
  limit: string | null
  /**
   * Whether the service has the row's parent. unread: an interrupted pull may have shown the record before its parent. queued: others deleted
   * the parent, and it is queued to be created again.
   */
  parent: 'known' | 'unread' | 'queued' | 'deleted'
  /** Whether the service has a feed, but no cursor says how much of it the user has seen: a deletion would take unseen rows along. */
  isUnguarded: boolean
  /** Milliseconds since the epoch. */
  now: number
  /** UUIDv7. */
  newId(): string
}

/** Whether an entry deletes everything below its row. */
export const takesDescendants = (entry: Entry): boolean => entry.kind === 'delete' && entry.rowKind !== 'variable'

/** Whether the service has to compare the rows below an entry's row with those the user saw. */
export const needsSeen = (entry: Entry): boolean => takesDescendants(entry) || entry.kind === 'rollback'

/** Returns the event of an entry whose turn it is: `send`, or why it is not sent; null: it keeps its place and waits for its parent. */
export function startEntry(entry: Entry, { hasNews, limit, parent, isUnguarded, now, newId }: StartFacts): EntryEvent | null {
  if (takesDescendants(entry) && hasNews) {
    return { is: 'park', conflict: { kind: 'changed-below', remote: null, by: null }, reason: conflictReason('changed-below') }
  }
  if (limit !== null) return { is: 'block', reason: limit }
  // Earlier requests of a queued entry certainly failed, but a create can still arrive.
  if (parent === 'deleted') return { is: 'reject', reason: parentDeleted, ...(entry.kind !== 'create' && { id: newId() }) }
  if (parent === 'queued') return null
  if (parent === 'unread' || (isUnguarded && needsSeen(entry))) return { is: 'delay', nextAttemptAt: now + unreadPauseMs, reason: unread }
  return { is: 'send' }
}
