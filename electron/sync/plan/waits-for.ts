import { isParked, type Entry } from '../../queue/entry.ts'
import { Gate, inOrderOfSending, type Because } from './gate.ts'

/** What a queued entry waits for. */
export interface WaitsFor {
  because: Because
  /** The entry it waits for. */
  entry: Entry
  /** Whether that one is parked, or waits for one that is: then nothing moves before the user decides. */
  needsAttention: boolean
}

/** For each entry that has to wait for another one, by its id: for which, and why. Waiting for a turn in a lane is not told: it passes. */
export function waitsFor(queue: readonly Entry[]): Map<string, WaitsFor> {
  const gate = new Gate(queue)
  const waits = new Map<string, WaitsFor>()
  for (const entry of inOrderOfSending(queue)) {
    const hold = isParked(entry) || entry.state === 'sending' ? null : gate.holds(entry)
    if (hold !== null) waits.set(entry.id, { because: hold.because, entry: hold.by, needsAttention: gate.isStuck(hold.by) })
    gate.add(entry)
  }
  return waits
}
