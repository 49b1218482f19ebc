import type { RemoteError } from './remote.ts'

/** Returns the error for an answer that did not come from the service. `why` completes a sentence that begins with the host. */
export const notAService = (host: string, why: string, outcome: 'none' | 'unknown' = 'unknown'): RemoteError => ({
  kind: 'not-a-service',
  outcome,
  message: `${host} ${why}. Check the address, and that no sign-in page or proxy is in between.`,
})
