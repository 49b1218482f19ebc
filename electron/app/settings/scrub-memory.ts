import { createSecretKey, scrypt } from 'node:crypto'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { KeysManager } from '../keys/keys-manager.ts'
import { wipeAfterMs } from '../workspaces/session-cipher.ts'

/**
 * The sizes of blocks to overwrite: those that most messages and files use. Allocators keep several lists of free blocks between two powers
 * of two, at even steps (PartitionAlloc: up to eight), and each list must be reached.
 */
const steps = 8
const blockSizes = Array.from({ length: 17 * steps }, (_, at) => 2 ** (Math.floor(at / steps) + 4) * (1 + (at % steps) / steps))
/** How much of each size is overwritten, and how many blocks at most. */
const bytesOfEachSize = 2 * 1024 * 1024
const blocksOfEachSize = 2048
/** BoringSSL stores the length of a block in front of it. Without room for that, the block would have the next size. */
const prefixBytes = 8

/** Since version 14, V8 keeps freed pages of large texts for later ones. It neither clears them nor returns them to the system. */
const hasLargePagePool = Number.parseInt(process.versions.v8) >= 14

type Collect = (how: { type: 'minor' } | { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void

/**
 * Overwrites unreferenced memory after a lock: runs a full collection, then overwrites the freed memory of V8's heap and the allocator's
 * free blocks. JavaScript's strings can't be overwritten one by one. Blocks for half a second to a second.
 */
export function scrubMemory(): void {
  overwriteStacks()
  // JavaScript keeps the last text that a regular expression matched (`RegExp.input`), such as a workspace key. This match makes it an
  // empty text.
  ''.match(/^/)
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--clear-free-memory')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  // Held while the holes are filled, because they do not fill a page to its end.
  const pages = takeKeptPages()
  fillOldSpace(collect)
  pages.length = 0
  for (const size of blockSizes) {
    const blocks = Array.from({ length: Math.min(bytesOfEachSize / size, blocksOfEachSize) }, () => new ArrayBuffer(size))
    blocks.length = 0
    // In Electron, ArrayBuffers have their own memory. The bytes of a key are allocated where messages are.
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

/** Half a page of V8, with room for its header. Numbers with a fraction have 8 bytes each, also in Electron. */
const numbersOfHalfAPage = 15_000
/** More than V8 keeps after the thread of a large import: 120 MB. */
const halfPages = 1000

/**
 * Takes the pages that V8 keeps for later, and returns what fills them. V8 keeps the pages of threads that have ended, and those that its
 * collections freed, as they were; it takes them, for any thread, before it asks the system for memory.
 */
function takeKeptPages(): unknown[][] {
  const numbers = Array.from({ length: numbersOfHalfAPage }, () => 0.5)
  return Array.from({ length: halfPages }, () => numbers.slice())
}

/** The size of a number on the heap, the smallest object, with 4-byte pointers as in Electron. */
const numberBytes = 12
/** More numbers than fit into the holes, so that every hole is filled. */
const spareBytes = 4 * 1024 * 1024
const numbersOfAList = 10_000

/**
 * Overwrites the holes between live objects of V8's old space. `--clear-free-memory` only clears the young generation, and V8 never moves a
 * page that is nearly full: a dead text in it would stay until something new overwrites it. Numbers that survive two collections of the
 * young generation are moved to the old space, into the smallest holes first.
 */
function fillOldSpace(collect: Collect): void {
  const holes = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
  if (holes === undefined) return
  const count = Math.ceil((holes.space_size - holes.space_used_size + spareBytes) / numberBytes)
  const lists: unknown[][] = []
  for (let at = 0; at < count; at += numbersOfAList) {
    // A list of only numbers would store them itself, in one block.
    const list: unknown[] = Array.from({ length: numbersOfAList }, () => null)
    for (let index = 0; index < list.length; index += 1) list[index] = at + index + 0.5
    lists.push(list)
  }
  collect({ type: 'minor' })
  collect({ type: 'minor' })
  lists.length = 0
}

/** More than Node has threads for such work, so that all threads take part. */
const derivations = 12

/** Electron's scrypt leaves the passphrase on the stack of its thread. Another derivation in that thread overwrites it. */
function overwriteStacks(): void {
  for (let count = 0; count < derivations; count += 1)
    scrypt(new Uint8Array(64), new Uint8Array(16), 32, { N: 2 ** 13, r: 8, p: 1 }, () => {})
}

/** Once after the keys of open workspaces are wiped, and again later, for calls that a busy computer had not finished. */
const scrubsAfterMs = [wipeAfterMs + 500, wipeAfterMs + 3500]

/**
 * Scrubs the memory after each lock of the keys and each refused unlock, until the returned function is called. Scrubs it again after
 * `keychainAnswered`: a keychain can give a key long after a lock, when somebody answers its prompt.
 */
export function scrubAfterLocks(keys: Pick<KeysManager, 'status' | 'onChange'>, keychainAnswered: () => Promise<unknown>): () => void {
  let scrubs: ReturnType<typeof setTimeout>[] = []
  // At a start that finds keys locked, memory has none of them, and nothing typed.
  let isUsed = false
  let isStarting = true
  const stop = () => scrubs.forEach(clearTimeout)
  // From the start: no collection takes a page out of the pool again.
  if (hasLargePagePool) setFlagsFromString('--no-large-page-pool')
  const scrubIfLocked = async (): Promise<boolean> => {
    const isOpen = (await keys.status()).state === 'ready'
    stop()
    const isLocked = isUsed && !isOpen
    if (isLocked) scrubs = scrubsAfterMs.map((ms) => setTimeout(scrubMemory, ms).unref())
    isUsed ||= isOpen
    return isLocked
  }
  const plan = async () => {
    if (!(await scrubIfLocked())) return
    await keychainAnswered()
    await scrubIfLocked()
  }
  keys.onChange(() => {
    isUsed ||= !isStarting
    void plan()
  })
  // The keys may have been ready before this subscribed.
  void plan().then(() => (isStarting = false))
  return stop
}
