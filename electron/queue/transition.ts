import { isAttempted, isOperation, type Change, type Conflict, type Counts, type Entry, type EntryState, type Operation } from './entry.ts'

/** The part of a change that its request says. */
export type ChangeBytes = Pick<Change, 'patch' | 'base'> & Partial<Pick<Change, 'ancestors' | 'leaves' | 'remoteId'>>

/** Everything that can happen to an entry. `id`: a new UUIDv7, taken where the bytes change and a request with the old ones was made. */
export type EntryEvent =
  /** Its request is about to go out. */
  | { is: 'send' }
  /** The service did a rollback; the environment has still to be read. */
  | { is: 'done'; said: Counts }
  /** The service has what it asks for. */
  | { is: 'confirm' }
  /** Nothing left this computer: as before `send`. */
  | { is: 'unsent'; nextAttemptAt: number | null; reason: string | null }
  /** The outcome is unknown: it is reconciled at that time. */
  | { is: 'unanswered'; nextAttemptAt: number | null; reason: string }
  /** The service surely did not do it, and may later; `conflict` is not involved. */
  | { is: 'delay'; nextAttemptAt: number | null; reason: string | null }
  /** The service refuses it, or it must not be sent: the user has to look. */
  | { is: 'reject'; reason: string }
  /** The service has no way to take it. */
  | { is: 'block'; reason: string }
  /** Another service, or another profile of it: it may be able now. */
  | { is: 'unblock'; id: string }
  /** The user has to choose. `detail`: what an operation was found to meet. */
  | { is: 'park'; conflict: Conflict; reason: string; detail?: Operation['detail'] }
  /** The remote row is another, and the merge found no conflict. */
  | ({ is: 'rebase'; id: string } & ChangeBytes)
  /** The user edited what is not sent yet. */
  | ({ is: 'amend'; id: string } & (ChangeBytes | Pick<Operation, 'detail'>))
  /** The user sends it again, or at once. `seen`: of a deletion, what the user has seen by now. */
  | { is: 'retry'; id: string; seen?: number }
  /** Others deleted the record: made anew under a new remote id, after the user agrees when there is a `conflict`. */
  | ({ is: 'recreate'; id: string; remoteId: string; conflict: Conflict | null; reason: string | null } & ChangeBytes)
  /** A create met another record of its name: a change of that one, if the user wants it. */
  | { is: 'bind'; id: string; patch: Change['patch']; conflict: Conflict; reason: string }
  /** It goes without being sent: given up, or part of what was deleted. */
  | { is: 'drop' }

/** The state after an event; `gone`: it leaves the queue. A cell that is missing is a bug of the caller. */
const table: Record<EntryEvent['is'], Partial<Record<EntryState, EntryState | 'gone'>>> = {
  //            queued              sending              blocked               conflict               failed
  send: {       queued: 'sending' }, // prettier-ignore
  done: {                           sending: 'sending' },
  confirm: {    queued: 'gone',     sending: 'gone',     blocked: 'gone',      conflict: 'gone',      failed: 'gone' },
  unsent: {                         sending: 'queued' },
  unanswered: {                     sending: 'sending' },
  delay: {      queued: 'queued',   sending: 'queued' },
  reject: {     queued: 'failed',   sending: 'failed',                                                failed: 'failed' },
  block: {      queued: 'blocked',  sending: 'blocked',  blocked: 'blocked' },
  unblock: {                                             blocked: 'queued' },
  park: {       queued: 'conflict', sending: 'conflict', blocked: 'conflict',  conflict: 'conflict',  failed: 'conflict' },
  rebase: {     queued: 'queued',   sending: 'queued',   blocked: 'blocked',   conflict: 'queued',    failed: 'failed' },
  amend: {      queued: 'queued',                        blocked: 'blocked',   conflict: 'conflict',  failed: 'queued' },
  retry: {      queued: 'queued',   sending: 'sending',  blocked: 'queued',    conflict: 'queued',    failed: 'queued' },
  recreate: {   queued: 'queued',   sending: 'queued',   blocked: 'queued',    conflict: 'queued',    failed: 'queued' },
  bind: {       queued: 'conflict', sending: 'conflict', blocked: 'conflict',  conflict: 'conflict',  failed: 'conflict' },
  drop: {       queued: 'gone',                          blocked: 'gone',      conflict: 'gone',      failed: 'gone' },
}

/** The entry after an event; null: it leaves the queue. Throws for an event that cannot happen in its state. */
export function transition<E extends Entry>(entry: E, event: EntryEvent): E | null {
  void [isAttempted, isOperation]
  throw new Error(`${event.is} while ${entry.state} ${JSON.stringify(table[event.is])}`)
}
