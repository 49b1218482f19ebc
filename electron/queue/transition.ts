import { isAttempted, isOperation, type Change, type Conflict, type Counts, type Entry, type EntryState, type Operation } from './entry.ts'

/** The content of an entry's request: the fields and parent of a change, the detail of an operation. Missing parts stay as they are. */
export interface Bytes extends Partial<Pick<Change, 'patch' | 'base' | 'ancestors' | 'leaves'>> {
  detail?: Operation['detail']
}

/** Everything that can happen to an entry. `id`: a new UUIDv7, which the entry gets if a request with its old bytes was made. */
export type EntryEvent =
  /** Its request is about to go out. */
  | { is: 'send' }
  /** The service did a rollback; the environment must still be read. */
  | { is: 'done'; said: Counts }
  /** The service has the requested state. */
  | { is: 'confirm' }
  /** No request left this computer: the entry is as it was before `send`. */
  | { is: 'unsent'; nextAttemptAt: number | null; reason: string | null }
  /** The outcome is unknown: sync reconciles the entry at that time. */
  | { is: 'unanswered'; nextAttemptAt: number | null; reason: string }
  /** The service certainly did not do it; sync sends it again at that time. */
  | { is: 'delay'; nextAttemptAt: number | null; reason: string | null }
  /** The service refuses it, or it must not be sent as it is: the user has to decide. Without an `id` the service may have done it. */
  | { is: 'reject'; reason: string; id?: string }
  /** The service has no way to take it. */
  | { is: 'block'; reason: string }
  /** The service or its profile changed: it may be able to take the entry now. */
  | { is: 'unblock'; id: string }
  /**
   * The user has to choose. `ancestors`, `leaves`: for a change, the present parents of its row. `detail`: for an operation, with the
   * record it conflicts with.
   */
  | ({ is: 'park'; conflict: Conflict; reason: string } & Pick<Bytes, 'ancestors' | 'leaves' | 'detail'>)
  /** The remote record changed, and the merge found no conflict. */
  | ({ is: 'rebase'; id: string } & Bytes)
  /** The user edited an unsent entry. */
  | ({ is: 'amend'; id: string } & Bytes)
  /** Another action of the user changes its bytes; its state stays. */
  | ({ is: 'revise'; id: string } & Bytes)
  /**
   * The user retries it, or sends it at once. If the service may have done it, sync reconciles it first. `seen`: for a deletion, the
   * revision that the user has seen.
   */
  | { is: 'retry'; id: string; seen?: number }
  /** Others deleted the record: it is created again under a new remote id. With a `conflict` the user is asked first. */
  | ({ is: 'recreate'; id: string; remoteId: string; conflict: Conflict | null; reason: string | null } & Bytes)
  /** A create met another record of its name: it becomes an update of that record, if the user agrees. */
  | ({ is: 'bind'; id: string; patch: Change['patch']; conflict: Conflict; reason: string } & Pick<Bytes, 'ancestors' | 'leaves'>)
  /** The record that a create was to replace still exists: the create becomes an update again. */
  | { is: 'found'; id: string; patch: Change['patch']; base: NonNullable<Change['base']> }
  /** It leaves the queue unsent: discarded, or deleted with its parent. */
  | { is: 'drop' }

type After = EntryState | 'left'

/** The state after an event; `left`: the entry leaves the queue. A missing cell is a bug of the caller. */
// prettier-ignore
const stateAfter: Record<EntryEvent['is'], Partial<Record<EntryState, After>>> = {
  //            queued              sending              blocked               conflict               failed
  send:       { queued: 'sending' },
  done:       {                     sending: 'sending' },
  confirm:    { queued: 'left',     sending: 'left',     blocked: 'left',      conflict: 'left',      failed: 'left' },
  unsent:     {                     sending: 'queued' },
  unanswered: {                     sending: 'sending' },
  delay:      { queued: 'queued',   sending: 'queued' },
  reject:     { queued: 'failed',   sending: 'failed',   blocked: 'failed',    conflict: 'failed',    failed: 'failed' },
  block:      { queued: 'blocked',  sending: 'blocked',  blocked: 'blocked' },
  unblock:    {                                          blocked: 'queued' },
  park:       { queued: 'conflict', sending: 'conflict', blocked: 'conflict',  conflict: 'conflict',  failed: 'conflict' },
  rebase:     { queued: 'queued',   sending: 'queued',   blocked: 'blocked',   conflict: 'queued',    failed: 'failed' },
  amend:      { queued: 'queued',                        blocked: 'blocked',   conflict: 'conflict',  failed: 'queued' },
  revise:     { queued: 'queued',                        blocked: 'blocked',   conflict: 'conflict',  failed: 'failed' },
  retry:      { queued: 'queued',   sending: 'sending',  blocked: 'queued',    conflict: 'queued',    failed: 'queued' },
  recreate:   { queued: 'queued',   sending: 'queued',   blocked: 'queued',    conflict: 'queued',    failed: 'queued' },
  bind:       { queued: 'conflict', sending: 'conflict', blocked: 'conflict',  conflict: 'conflict',  failed: 'conflict' },
  found:      { queued: 'queued',   sending: 'queued',   blocked: 'queued',    conflict: 'queued',    failed: 'queued' },
  drop:       { queued: 'left',                          blocked: 'left',      conflict: 'left',      failed: 'left' },
}

/**
 * Returns the entry after an event; null: it leaves the queue. An event that changes the bytes of an attempted entry gives it a new id, so
 * that an id always names one request. Throws for an event that cannot happen to this entry: that is a bug.
 */
export function transition(entry: Change, event: EntryEvent): Change | null
export function transition(entry: Operation, event: EntryEvent): Operation | null
export function transition(entry: Entry, event: EntryEvent): Entry | null
export function transition(entry: Entry, event: EntryEvent): Entry | null {
  const state = stateAfter[event.is][entry.state]
  if (state === undefined || !concerns(entry, event)) throw new Error(`Event ${event.is} cannot happen to ${entry.kind} ${entry.state}.`)
  // The cast holds because the caller makes the detail of an event from the same operation.
  return state === 'left' ? null : ({ ...entry, state, ...partsAfter(entry, event, state) } as Entry)
}

/** Whether an event can happen to this kind of entry at all. */
function concerns(entry: Entry, event: EntryEvent): boolean {
  if (event.is === 'done') return entry.kind === 'rollback'
  if (event.is === 'bind' || event.is === 'found') return entry.kind === 'create'
  if (event.is === 'recreate') return entry.kind === 'create' || entry.kind === 'update'
  return true
}

type Parts = Partial<Omit<Change, 'seq'>> & { detail?: Operation['detail'] }

function partsAfter(entry: Entry, event: EntryEvent, state: EntryState): Parts {
  switch (event.is) {
    case 'send':
      return { attempts: entry.attempts + 1, nextAttemptAt: null, reason: null }
    case 'done':
      return entry.kind === 'rollback' ? { detail: { ...entry.detail, said: event.said }, nextAttemptAt: null, reason: null } : {}
    case 'unsent':
      return { attempts: entry.attempts - 1, nextAttemptAt: event.nextAttemptAt, reason: event.reason }
    case 'unanswered':
      return { attempts: entry.attempts + 1, nextAttemptAt: event.nextAttemptAt, reason: event.reason }
    case 'delay':
      return { nextAttemptAt: event.nextAttemptAt, reason: event.reason }
    case 'reject': {
      const again = event.id === undefined ? {} : { id: isAttempted(entry) ? event.id : entry.id, attempts: 0 }
      return { ...again, nextAttemptAt: null, reason: event.reason, conflict: null }
    }
    case 'block':
      return { nextAttemptAt: null, reason: event.reason, conflict: null }
    case 'park':
      return { ...bytesOf(event), nextAttemptAt: null, conflict: event.conflict, reason: event.reason }
    case 'unblock':
      return anew(entry, event.id)
    case 'retry':
      if (state === 'sending') return { nextAttemptAt: null }
      if (entry.state === 'queued') return { nextAttemptAt: null, reason: null }
      if (entry.state === 'failed' && isAttempted(entry))
        return { state: 'sending', attempts: 1, nextAttemptAt: null, reason: checkedFirst }
      return { ...anew(entry, event.id), ...(event.seen !== undefined && !isOperation(entry) && { seen: event.seen }) }
    case 'rebase':
    case 'amend':
    case 'revise': {
      const { id, attempts, ...fresh } = anew(entry, event.id)
      return { ...bytesOf(event), id, attempts, ...(state === 'queued' && fresh) }
    }
    case 'recreate': {
      const { remoteId, conflict, reason } = event
      const parked = conflict === null ? {} : { state: 'conflict' as const }
      const made = { kind: 'create' as const, remoteId, leaves: [], seen: null }
      return { ...anew(entry, event.id), ...made, ...bytesOf(event), conflict, reason, ...parked }
    }
    case 'bind': {
      const { conflict, reason } = event
      return { ...anew(entry, event.id), ...bytesOf(event), kind: 'update', remoteId: null, base: null, conflict, reason }
    }
    case 'found':
      return { ...anew(entry, event.id), kind: 'update', remoteId: null, patch: event.patch, base: event.base }
    case 'confirm':
    case 'drop':
      return {}
  }
}

/** Why an entry waits that is retried, and that the service may have done: sync reconciles it before the same request is made again. */
const checkedFirst = 'The service may already have done this. Sync checks before sending it again.'

/** Returns the parts of an entry that make it new to the queue: no attempts, and another id if it was attempted. */
const anew = (entry: Entry, id: string) => ({
  id: isAttempted(entry) ? id : entry.id,
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  conflict: null,
})

/** Returns a dropped entry as it enters the queue again: in its former state, without attempts. */
export const requeued = (entry: Entry, newId: () => string): Entry => ({
  ...entry,
  id: isAttempted(entry) ? newId() : entry.id,
  attempts: 0,
})

function bytesOf({ patch, base, ancestors, leaves, detail }: Bytes): Parts {
  return {
    ...(patch !== undefined && { patch }),
    ...(base !== undefined && { base }),
    ...(ancestors !== undefined && { ancestors }),
    ...(leaves !== undefined && { leaves }),
    ...(detail !== undefined && { detail }),
  }
}
