import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const stepBytes = 16 * 1024 * 1024
/** The size of a page where all have the same; null where it depends on the kernel. */
const pageBytes = process.arch === 'x64' ? 4096 : null

/**
 * How often each needle is in the writable memory of a process, in UTF-8 and UTF-16 where it is a text. Linux alone; the process must be
 * a child of this one. Needles must not be in this process's messages to it. A process that has ended holds nothing; one that
 * has not set up its sandbox yet counts as `unreadable`.
 */
export function scanMemory(pid: number, needles: Readonly<Record<string, string | Uint8Array>>): Record<string, number> {
  try {
    return scanRunning(pid, needles)
  } catch (error) {
    // Opening one of its files fails when it ends meanwhile (proc(5)).
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'ENOENT')) return {}
    // With new credentials a process cannot be read by its own user until it allows that (prctl(2), PR_SET_DUMPABLE).
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return { unreadable: 1 }
    throw error
  }
}

function scanRunning(pid: number, needles: Readonly<Record<string, string | Uint8Array>>): Record<string, number> {
  const patterns = Object.entries(needles).map(([name, needle]) => ({
    name,
    forms: typeof needle === 'string' ? [Buffer.from(needle, 'utf8'), Buffer.from(needle, 'utf16le')] : [Buffer.from(needle)],
  }))
  const longest = Math.max(...patterns.flatMap(({ forms }) => forms.map(({ length }) => length)))
  const counts = Object.fromEntries(Object.keys(needles).map((name) => [name, 0]))
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const { start, end } of writableRegions(pid)) {
      let carried = Buffer.alloc(0)
      for (let at = start; at < end; at += stepBytes) {
        const read = readAt(memory, at, Math.min(stepBytes, end - at))
        if (read === null) break
        const bytes = Buffer.concat([carried, read])
        for (const { name, forms } of patterns) {
          counts[name] = (counts[name] ?? 0) + forms.reduce((sum, form) => sum + occurrences(bytes, form, carried.length), 0)
        }
        carried = bytes.subarray(-longest)
      }
    }
  } finally {
    closeSync(memory)
  }
  return counts
}

/**
 * The writable regions of a process, without the pages of them that were never written: those are nowhere, and are nine tenths of what Node
 * and Chromium reserve. (proc(5), and the kernel's admin-guide/mm/pagemap.)
 */
function writableRegions(pid: number): { start: number; end: number }[] {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r')
  try {
    return maps.flatMap((line) => {
      const [, from, to, inode] = /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ (\d+)/.exec(line) ?? []
      if (from === undefined || to === undefined) return []
      const region = { start: Number.parseInt(from, 16), end: Number.parseInt(to, 16) }
      // What is not loaded of a file is still in the file.
      return inode === '0' && pageBytes !== null ? writtenParts(pagemap, region, pageBytes) : [region]
    })
  } finally {
    closeSync(pagemap)
  }
}

/** Of a region without a file, the runs of pages that are in memory or swapped out. */
function writtenParts(pagemap: number, { start, end }: { start: number; end: number }, page: number): { start: number; end: number }[] {
  const entries = Buffer.alloc(((end - start) / page) * 8)
  const read = readSync(pagemap, entries, 0, entries.length, (start / page) * 8)
  const parts: { start: number; end: number }[] = []
  for (let at = 0; at < read; at += 8) {
    // Bit 63: present; bit 62: swapped.
    if ((entries[at + 7] ?? 0) < 0x40) continue
    const from = start + (at / 8) * page
    const last = parts.at(-1)
    if (last?.end === from) last.end = from + page
    else parts.push({ start: from, end: from + page })
  }
  return parts
}

/** Null where the region is gone, or cannot be read. */
function readAt(file: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length)
  try {
    const count = readSync(file, bytes, 0, length, position)
    return count > 0 ? bytes.subarray(0, count) : null
  } catch {
    return null
  }
}

/** Those that end after the first `carried` bytes: the others were counted before. */
function occurrences(bytes: Buffer, needle: Buffer, carried: number): number {
  let count = 0
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) if (at + needle.length > carried) count += 1
  return count
}
