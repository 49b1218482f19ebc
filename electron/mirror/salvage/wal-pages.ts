/** The newest page images in a write-ahead log, by page number. */
export interface WalPages {
  pageSize: number
  pages: Map<number, Buffer>
  /** Frames that a checksum or a cut end makes unusable. */
  bad: number
}

const headerBytes = 32
const frameHeaderBytes = 24
const magicLittle = 0x377f0682
const magicBig = 0x377f0683

/**
 * The committed pages of a write-ahead log, newest last (the layout is section 4 of SQLite's file format). Each frame is checked on the
 * checksum that the frame before it states, so that a damaged frame costs itself, and not all that came after it as it does when SQLite
 * reads the log. `fallbackPageSize`: where the head of the log is damaged. Null: there is nothing in it.
 */
export function walPages(wal: Buffer, fallbackPageSize: number): WalPages | null {
  if (wal.length < headerBytes + frameHeaderBytes) return null
  const magic = wal.readUInt32BE(0)
  const isBig = magic === magicBig
  let before: Sum = [wal.readUInt32BE(24), wal.readUInt32BE(28)]
  const own = add([0, 0], wal.subarray(0, 24), isBig)
  const isHead = (isBig || magic === magicLittle) && own[0] === before[0] && own[1] === before[1]
  const stated = wal.readUInt32BE(8)
  const pageSize = isHead && isPageSize(stated) ? stated : fallbackPageSize
  // Where the head is damaged, the first frame tells which frames belong together.
  const salt = isHead ? wal.subarray(16, 24) : wal.subarray(headerBytes + 8, headerBytes + 16)
  const pages = new Map<number, Buffer>()
  let open = new Map<number, Buffer>()
  let bad = 0
  for (let at = headerBytes; at + frameHeaderBytes + pageSize <= wal.length; at += frameHeaderBytes + pageSize) {
    const frame = wal.subarray(at, at + frameHeaderBytes)
    const page = wal.subarray(at + frameHeaderBytes, at + frameHeaderBytes + pageSize)
    const states: Sum = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    const sum = add(add(before, frame.subarray(0, 8), isBig), page, isBig)
    before = states
    // Frames of an earlier round of the log stay behind its present end; one with a damaged head looks the same.
    if (!frame.subarray(8, 16).equals(salt)) continue
    if (sum[0] !== states[0] || sum[1] !== states[1]) {
      bad += 1
      continue
    }
    open.set(frame.readUInt32BE(0), page)
    if (frame.readUInt32BE(4) === 0) continue
    for (const [number, image] of open) {
      pages.delete(number)
      pages.set(number, image)
    }
    open = new Map()
  }
  return { pageSize, pages, bad }
}

export const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0

type Sum = readonly [number, number]

function add([first, second]: Sum, bytes: Buffer, isBig: boolean): Sum {
  let [a, b] = [first, second]
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}
