import { createSecretKey, scrypt } from 'node:crypto'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { KeysManager } from '../keys/keys-manager.ts'
import { wipeAfterMs } from '../workspaces/session-cipher.ts'

/**
 * Sizes of the blocks that the system's allocator hands out again first: most of what messages and files pass through. Allocators keep several
 * lists of free blocks between two powers of two, at even steps (PartitionAlloc: up to eight), and each of them must be reached.
 */
const steps = 8
const blockSizes = Array.from({ length: 17 * steps }, (_, at) => 2 ** (Math.floor(at / steps) + 4) * (1 + (at % steps) / steps))
/** How much of each size is overwritten, and how many blocks at most. */
const bytesOfEachSize = 2 * 1024 * 1024
const blocksOfEachSize = 2048
/** BoringSSL keeps the length of a block in front of it: without room for that the block would be of the next size. */
const prefixBytes = 8

type Collect = (how: { type: 'minor' } | { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void

/**
 * Overwrites unreferenced memory after a lock: runs a full collection, then overwrites the freed memory of V8's heap and the allocator's
 * free blocks. JavaScript's strings can't be overwritten one by one. Blocks for half a second to a second.
 */
export function scrubMemory(): void {
  overwriteStacks()
  // JavaScript keeps the last text that a regular expression matched (`RegExp.input`): a workspace key, or an import. Now it is an empty one.
  ''.match(/^/)
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--clear-free-memory')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  fillOldSpace(collect)
  for (const size of blockSizes) {
    const blocks = Array.from({ length: Math.min(bytesOfEachSize / size, blocksOfEachSize) }, () => new ArrayBuffer(size))
    blocks.length = 0
    // In Electron an ArrayBuffer comes from a place of its own; the bytes of a key come from where messages do.
    const bytes = new Uint8Array(size - prefixBytes)
    const keys = Array.from({ length: Math.min(bytesOfEachSize / size, blocksOfEachSize) }, () => createSecretKey(bytes))
    keys.length = 0
    // Blocks of all sizes at once would grow the allocator's heap by 150 MB, which glibc gives back only from its end.
    collect({ type: 'minor' })
  }
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  setFlagsFromString('--no-clear-free-memory')
  setFlagsFromString('--no-expose-gc')
}

/** A number on the heap, the smallest object there is, where pointers have 4 bytes as in Electron. */
const numberBytes = 12
/** More numbers than the holes take, so that none is left out. */
const spareBytes = 4 * 1024 * 1024
const numbersOfAList = 10_000

/**
 * Overwrites the holes between live objects of V8's old space. `--clear-free-memory` clears the young generation alone, and a page that is
 * nearly full is never moved: a text that died in one would stay until something new takes its place. Numbers that outlive two collections
 * of the young generation are moved there, into the smallest holes first.
 */
function fillOldSpace(collect: Collect): void {
  const holes = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
  if (holes === undefined) return
  const count = Math.ceil((holes.space_size - holes.space_used_size + spareBytes) / numberBytes)
  const lists: unknown[][] = []
  for (let at = 0; at < count; at += numbersOfAList) {
    // Not a list of numbers alone: it would hold them itself, in one block.
    const list: unknown[] = Array.from({ length: numbersOfAList }, () => null)
    for (let index = 0; index < list.length; index += 1) list[index] = at + index + 0.5
    lists.push(list)
  }
  collect({ type: 'minor' })
  collect({ type: 'minor' })
  lists.length = 0
}

/** More than Node has threads for such work, each long enough that all of them take part. */
const derivations = 12

/** Electron's scrypt leaves the passphrase on the stack of the thread that derived a key from it; the next one there overwrites it. */
function overwriteStacks(): void {
  for (let count = 0; count < derivations; count += 1)
    scrypt(new Uint8Array(64), new Uint8Array(16), 32, { N: 2 ** 13, r: 8, p: 1 }, () => {})
}

/** Once after the keys of the open workspaces are wiped, and once later for calls that a busy computer had not finished by then. */
const scrubsAfterMs = [wipeAfterMs + 500, wipeAfterMs + 3500]

/** Scrubs the memory after each lock of the keys, until the returned function is called. */
export function scrubAfterLocks(keys: Pick<KeysManager, 'status' | 'onChange'>): () => void {
  let scrubs: ReturnType<typeof setTimeout>[] = []
  let wasOpen = false
  const stop = () => scrubs.forEach(clearTimeout)
  const plan = async () => {
    const isOpen = (await keys.status()).state === 'ready'
    stop()
    if (wasOpen && !isOpen) scrubs = scrubsAfterMs.map((ms) => setTimeout(scrubMemory, ms).unref())
    wasOpen ||= isOpen
  }
  keys.onChange(() => void plan())
  // The keys may have been ready before this subscribed.
  void plan()
  return stop
}
