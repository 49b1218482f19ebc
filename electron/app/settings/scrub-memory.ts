import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Sizes of the blocks that the system's allocator hands out again first: most of what messages and files pass through. */
const blockSizes = Array.from({ length: 17 }, (_, power) => 2 ** (power + 4))
/** How much of each size is overwritten. */
const bytesOfEachSize = 4 * 1024 * 1024

/**
 * Takes what nothing refers to any more out of memory, after a lock: a full collection, the freed memory of V8's heap set to zero, and the
 * allocator's free blocks overwritten. JavaScript's strings cannot be overwritten one by one. Takes some tens of milliseconds.
 */
export function scrubMemory(): void {
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--clear-free-memory')
  const collect = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  for (const size of blockSizes) {
    const blocks = Array.from({ length: Math.min(bytesOfEachSize / size, 8192) }, () => new ArrayBuffer(size))
    blocks.length = 0
  }
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  setFlagsFromString('--no-clear-free-memory')
  setFlagsFromString('--no-expose-gc')
}
