import { atMost } from './settings/at-most.ts'

/** Counts calls under way, so that nothing is closed under one of them. */
export interface Calls {
  track<T>(call: Promise<T>): Promise<T>
  /** Resolves when all have ended, at the latest after `limitMs`: a call that waits for a keychain must not hold up the exit. */
  settled(): Promise<void>
}

const limitMs = 3000

export const trackCalls = (): Calls => {
  const open = new Set<Promise<unknown>>()
  return {
    track(call) {
      open.add(call)
      const forget = () => open.delete(call)
      call.then(forget, forget)
      return call
    },
    settled: () => atMost(Promise.allSettled(open), limitMs),
  }
}
