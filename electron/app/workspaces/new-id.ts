import { v7 } from 'uuid'

const idBytes = 16
/** For how many ids to draw random bytes at once: one id would take the system as long. */
const drawnIds = 256

/** Returns a function that makes UUIDv7 (RFC 9562 section 5.7) from the given clock and randomness. */
export function createNewId(deps: { now(): number; randomBytes(length: number): Uint8Array }): () => string {
  let drawn: Uint8Array = new Uint8Array(0)
  let at = 0
  return () => {
    if (at === drawn.length) {
      drawn = deps.randomBytes(idBytes * drawnIds)
      at = 0
    }
    at += idBytes
    return v7({ msecs: deps.now(), random: drawn.subarray(at - idBytes, at) })
  }
}
