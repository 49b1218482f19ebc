import { isParked, type Entry } from '../../queue/entry.ts'
import { Gate, inOrderOfSending, type Because } from './gate.ts'

/** The entry that a queued entry waits for, and why. */
export interface WaitsFor {
  because: Because
  /** The entry it waits for. */
  entry: Entry
  /** Whether `entry` is parked, or waits for a parked one: nothing moves before the user decides. */
  needsAttention: boolean
}

/** Returns, by id, the entry that each waiting entry waits for, and why. Waiting for a turn in a lane is left out: it passes. */
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
