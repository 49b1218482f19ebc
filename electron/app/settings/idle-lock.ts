export interface IdleLockDeps {
  /** Milliseconds since the epoch: time asleep counts as idle. */
  now(): number
  /** 0: never. */
  minutes(): number
  /** Locks the keys, if they can be unlocked again. Must not reject. */
  lock(): Promise<void>
}

/** Locks the keys after a time without activity. */
export interface IdleLock {
  /** The user did something. */
  acted(): void
  /** Checks the idle time: the setting may have changed, or the computer may have slept. */
  check(): void
  stop(): void
}

/** Timers don't count sleep, and can't wait longer than 24 days. */
const longestWaitMs = 60_000

export function createIdleLock(deps: IdleLockDeps): IdleLock {
  let activeAt = deps.now()
  let isDone = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const check = (): void => {
    clearTimeout(timer)
    const limit = deps.minutes() * 60_000
    if (limit === 0 || isDone) return
    // Of a clock that was set back, the time since is not known: it begins anew.
    activeAt = Math.min(activeAt, deps.now())
    const left = activeAt + limit - deps.now()
    if (left <= 0) {
      isDone = true
      void deps.lock()
      return
    }
    timer = setTimeout(check, Math.min(left, longestWaitMs))
    timer.unref()
  }
  const acted = (): void => {
    activeAt = deps.now()
    if (!isDone) return
    isDone = false
    check()
  }

  check()
  return {
    acted,
    check,
    stop() {
      clearTimeout(timer)
      isDone = true
    },
  }
}
