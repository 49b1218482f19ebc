const everyMs = 500
/** Less than a host takes for a sleep, which it measures from its own last tick. */
const stallMs = 7000
/** A program hears of it only at its next answer. */
const memoryMs = 120_000

/** The times at which this program, and so most likely the whole computer, stood still: a host takes a long one for a sleep. */
export interface Stalls {
  /** Whether one ended within the last two minutes. */
  isRecent(): boolean
  stop(): void
}

export function watchStalls(): Stalls {
  let last = Date.now()
  let ended = -Infinity
  const tick = () => {
    const now = Date.now()
    if (now - last >= stallMs) ended = now
    last = now
  }
  const timer = setInterval(tick, everyMs)
  return {
    isRecent() {
      tick()
      return Date.now() - ended < memoryMs
    },
    stop: () => clearInterval(timer),
  }
}
