import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const stepBytes = 16 * 1024 * 1024

/**
 * How often each needle is in the writable memory of a process, in UTF-8 and UTF-16 where it is a text. Linux alone; the process must be
 * a child of this one. Needles must not be in this process's messages to it.
 */
export function scanMemory(pid: number, needles: Readonly<Record<string, string | Uint8Array>>): Record<string, number> {
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

function writableRegions(pid: number): { start: number; end: number }[] {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      return start === undefined || end === undefined ? [] : [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }]
    })
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
