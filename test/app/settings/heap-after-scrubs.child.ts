import { readFileSync } from 'node:fs'
import { scrubMemory } from '../../../electron/app/settings/scrub-memory.ts'
import { overwriteFreedMemory } from '../../../electron/host/overwrite-freed-memory.ts'

/** Run by scrub-memory.test.ts: says how many megabytes of the allocator's heap are in memory before and after three scrubs, in a process like a browser host. */
overwriteFreedMemory()
const heap = (): number => Number(/\[heap\]\n(?:[A-Z].*\n)*?Rss:\s+(\d+)/.exec(readFileSync('/proc/self/smaps', 'utf8'))?.[1]) / 1024
const before = heap()
for (let count = 0; count < 3; count += 1) scrubMemory()
process.stdout.write(`${JSON.stringify({ before, after: heap() })}\n`)
