import type { Queued } from '../../queue/entry.ts'

/** A failed request as the client of the service describes it. */
export interface SendFailure {
  kind:
    | 'offline'
    | 'interrupted'
    | 'timeout'
    | 'cancelled'
    | 'unauthorized'
    | 'refused'
    | 'missing'
    | 'no-route'
    | 'taken'
    | 'cursor-gone'
    | 'stale'
    | 'busy'
    | 'server-failed'
    | 'not-a-service'
    | 'redirected'
    | 'unsafe'
  message: string
}

/**
 * What to do after a failed send.
 * look: read the record, then decide (`rebaseChange`): the server may have acted, or knows something newer.
 * wait: nothing was done; everything of this workspace waits and tries again.
 * pause: the key is refused; all lanes wait for a new one.
 * fail, block: this change waits for the user, or for a server that can.
 */
export type Verdict = { do: 'look' } | { do: 'wait' } | { do: 'pause' } | { do: 'fail' } | { do: 'block' }

const verdicts: Record<SendFailure['kind'], Verdict['do']> = {
  offline: 'wait',
  busy: 'wait',
  redirected: 'wait',
  interrupted: 'look',
  timeout: 'look',
  cancelled: 'look',
  'server-failed': 'look',
  'not-a-service': 'look',
  stale: 'look',
  taken: 'look',
  missing: 'look',
  unauthorized: 'pause',
  'no-route': 'block',
  refused: 'fail',
  unsafe: 'fail',
  'cursor-gone': 'fail',
}

const makesRecord: ReadonlySet<Queued['kind']> = new Set(['create', 'snapshot', 'invite'])

/** The verdict on a failed send of `change`. A rename to a taken name is not looked up: the look would find another record. */
export function verdictOn(change: Pick<Queued, 'kind'>, failure: SendFailure): Verdict {
  if (failure.kind === 'taken' && !makesRecord.has(change.kind)) return { do: 'fail' }
  return { do: verdicts[failure.kind] }
}
