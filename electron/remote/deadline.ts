/** Why a request was given up: its time ran out, or the application is closing. */
export type StopReason = 'timed-out' | 'cancelled'

/** What `untilStopped` rejects with. It has no stack, because it is expected. */
export class Stopped {
  readonly reason: StopReason
  constructor(reason: StopReason) {
    this.reason = reason
  }
}

/**
 * Runs `work` with a signal that aborts after `timeoutMs`, or when `outer` aborts. The signal's reason is a `Stopped`. When `work` has
 * settled, timer and listener are removed.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const cancel = () => controller.abort(new Stopped('cancelled'))
  const timer = setTimeout(() => controller.abort(new Stopped('timed-out')), timeoutMs)
  outer?.addEventListener('abort', cancel, { once: true })
  if (outer?.aborted === true) cancel()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', cancel)
  }
}

/** Settles as `promise` does. Rejects with the signal's reason as soon as the signal aborts, even if `promise` ignores the signal. */
export function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Stopped)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
