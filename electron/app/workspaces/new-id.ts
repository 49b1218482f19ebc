import { v7 } from 'uuid'

/** Makes UUIDv7 (RFC 9562 section 5.7) from the given clock and randomness. */
export const createNewId =
  (deps: { now(): number; randomBytes(length: number): Uint8Array }): (() => string) =>
  () =>
    v7({ msecs: deps.now(), random: deps.randomBytes(16) })
