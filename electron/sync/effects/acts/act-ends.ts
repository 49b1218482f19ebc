import { dropChange, getQueued, putChange, queuedOfSort } from '../../../mirror/queue-layer.ts'
import type { Tx } from '../../../mirror/tx.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import { retryDelay } from '../../plan/backoff.ts'
import type { Act, ActKind } from '../../../queue/entry.ts'
import { verdictOn } from '../../plan/verdict.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { maxAttempts, type Pushed } from '../push-change.ts'

export const done: Pushed = { do: 'done' }

const tables = ['queue', 'sync', 'versions', 'members'] as const

export const isSending = (tx: Tx, act: Act): boolean => getQueued(tx, act.id)?.state === 'sending'

/** Writes an act as it stands now, unless it left the queue while it was under way. */
function store(deps: EngineDeps, act: Act): void {
  deps.mirror.write((tx) => {
    if (isSending(tx, act)) putChange(tx, act)
  })
  deps.onChange(tables)
}

/** The server did it: `keep` writes what that means, and the act leaves the queue, in one transaction. */
export function settleAct(deps: EngineDeps, act: Act, keep: (tx: Tx) => void): Pushed {
  deps.mirror.write((tx) => {
    keep(tx)
    dropChange(tx, act.id)
  })
  deps.onChange(tables)
  return done
}

/** Waits for the user. */
export function parkAct(deps: EngineDeps, act: Act, reason: string): Pushed {
  store(deps, { ...act, state: 'failed', reason, nextAttemptAt: null })
  return done
}

/** Waits for the user's choice. */
export function parkConflict(deps: EngineDeps, act: Act, conflict: NonNullable<Act['conflict']>, reason: string): Pushed {
  store(deps, { ...act, state: 'conflict', conflict, reason, nextAttemptAt: null })
  return done
}

/** Goes back to its place in the queue, to be sent again at that time; null: at once. */
export function requeueAct(deps: EngineDeps, act: Act, nextAttemptAt: number | null, reason: string | null = null): Pushed {
  store(deps, { ...act, state: 'queued', nextAttemptAt, reason })
  return done
}

const offers: Record<ActKind, string> = {
  snapshot: 'taking a snapshot',
  rollback: 'rolling back',
  invite: 'inviting a member',
  'set-role': 'changing the role of a member',
  remove: 'removing a member',
}

/** This server has no way to take an act of this kind: all of the kind wait. */
export function blockActs(deps: EngineDeps, act: Act): Pushed {
  const reason = `This service offers no way of ${offers[act.kind]}. It is kept here until it does.`
  deps.mirror.write((tx) => {
    for (const other of queuedOfSort(tx, act.kind, act.rowKind)) {
      if (other.state === 'queued' || other.id === act.id) putChange(tx, { ...other, state: 'blocked', reason, nextAttemptAt: null })
    }
  })
  deps.onChange(tables)
  return done
}

/** What a failed request means for an act. `look`: reads what the server has now, and decides. */
export function endFailed(deps: EngineDeps, act: Act, error: RemoteError, look: () => Promise<Pushed>): Promise<Pushed> | Pushed {
  const verdict = verdictOn(act, error).do
  if (verdict === 'look') return look()
  if (verdict === 'block') return blockActs(deps, act)
  if (verdict === 'fail') return parkAct(deps, act, error.message)
  requeueAct(deps, { ...act, attempts: act.attempts - 1 }, null)
  return { do: verdict, error }
}

/** The server surely did not act: the failure itself decides when to try again. */
export function retryActLater(deps: EngineDeps, act: Act, error: RemoteError): Pushed {
  if (act.attempts >= maxAttempts) return parkAct(deps, act, error.message)
  requeueAct(deps, act, deps.now() + retryDelay(act.attempts, deps.random(), null), error.message)
  return error.kind === 'server-failed' ? done : { do: 'wait', error }
}

/** Looking failed: the outcome stays unknown, the act under way, and it is looked at again. */
export function lookAgainLater(deps: EngineDeps, act: Act, error: RemoteError): Pushed {
  if (error.kind === 'unauthorized') return { do: 'pause', error }
  const isFinal = error.kind === 'refused' || error.kind === 'unsafe' || act.attempts >= maxAttempts
  if (isFinal) return parkAct(deps, act, error.message)
  const isAlone = error.kind === 'server-failed'
  const nextAttemptAt = deps.now() + retryDelay(act.attempts, deps.random(), null)
  store(deps, { ...act, attempts: act.attempts + Number(isAlone), nextAttemptAt, reason: error.message })
  return isAlone ? done : { do: 'wait', error }
}

/** Whether an answer says that the server has no such list. */
export const isNoList = (error: RemoteError): boolean => error.kind === 'missing' || error.kind === 'no-route'
