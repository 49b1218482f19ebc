/** The newest page images in a write-ahead log, by page number. */
export interface WalPages {
  pageSize: number
  pages: Map<number, Buffer>
  /** How many frames are unusable, by their checksum. */
  bad: number
}

/** The page size of Holdfast's databases, for a file or log whose header can't be read. */
export const usualPageSize = 4096

const headerBytes = 32
const frameHeaderBytes = 24
const magicLittle = 0x377f0682
const magicBig = 0x377f0683

/** One frame of a log: a page as written by a transaction. */
export interface WalFrame {
  page: number
  /** Whether it ends a transaction. */
  commits: boolean
  /**
   * Whether it belongs to the present use of the log. After its end come frames of an earlier use; a frame with a damaged header looks like
   * one.
   */
  isOurs: boolean
  /** Whether its bytes are unchanged: its checksum continues the checksum of the frame before. */
  isWhole: boolean
  image: Buffer
}

/** Whether the header of a log is intact; null: the log has no frame. */
export function walHead(wal: Buffer): { isWhole: boolean; pageSize: number } | null {
  if (wal.length < headerBytes + frameHeaderBytes) return null
  const magic = wal.readUInt32BE(0)
  const own = add([0, 0], wal.subarray(0, 24), magic === magicBig)
  const pageSize = wal.readUInt32BE(8)
  const isKnown = (magic === magicBig || magic === magicLittle) && isPageSize(pageSize)
  return { isWhole: isKnown && own[0] === wal.readUInt32BE(24) && own[1] === wal.readUInt32BE(28), pageSize }
}

/**
 * Yields the frames of a write-ahead log, oldest first (section 4 of SQLite's file format). Each is checked against the checksum that the
 * frame before states, so that a damaged frame affects only itself. SQLite would ignore all frames after it.
 */
export function* walFrames(wal: Buffer, pageSize: number, isHead: boolean): Generator<WalFrame> {
  const isBig = wal.readUInt32BE(0) === magicBig
  let before: Sum = [wal.readUInt32BE(24), wal.readUInt32BE(28)]
  // If the header is damaged, the first frame tells which frames belong together.
  const salt = isHead ? wal.subarray(16, 24) : wal.subarray(headerBytes + 8, headerBytes + 16)
  for (let at = headerBytes; at + frameHeaderBytes + pageSize <= wal.length; at += frameHeaderBytes + pageSize) {
    const head = wal.subarray(at, at + frameHeaderBytes)
    const image = wal.subarray(at + frameHeaderBytes, at + frameHeaderBytes + pageSize)
    const states: Sum = [head.readUInt32BE(16), head.readUInt32BE(20)]
    const isOurs = head.subarray(8, 16).equals(salt)
    const sum = isOurs ? add(add(before, head.subarray(0, 8), isBig), image, isBig) : null
    before = states
    const isWhole = sum !== null && sum[0] === states[0] && sum[1] === states[1]
    yield { page: head.readUInt32BE(0), commits: head.readUInt32BE(4) !== 0, isOurs, isWhole, image }
  }
}

/**
 * Returns the committed pages of a write-ahead log, newest last. `fallbackPageSize`: used if the header is damaged. Null: the log is empty.
 */
export function walPages(wal: Buffer, fallbackPageSize: number): WalPages | null {
  const head = walHead(wal)
  if (head === null) return null
  const pageSize = head.isWhole ? head.pageSize : fallbackPageSize
  const pages = new Map<number, Buffer>()
  let open = new Map<number, Buffer>()
  let bad = 0
  for (const { page, commits, isOurs, isWhole, image } of walFrames(wal, pageSize, head.isWhole)) {
    if (!isOurs) continue
    if (!isWhole) {
      bad += 1
      continue
    }
    open.set(page, image)
    if (!commits) continue
    for (const [number, each] of open) {
      pages.delete(number)
      pages.set(number, each)
    }
    open = new Map()
  }
  return { pageSize, pages, bad }
}

export const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0

type Sum = readonly [number, number]

const isLittleHost = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

function add([first, second]: Sum, bytes: Buffer, isBig: boolean): Sum {
  let [a, b] = [first, second]
  if (isLittleHost && !isBig && bytes.byteOffset % 4 === 0) {
    // The usual case, ten times as fast as the loop below: a log can have many megabytes, and it is read before the first screen.
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
    const { length } = words
    a |= 0
    b |= 0
    for (let at = 0; at < length; at += 2) {
      // Both indexes are below the length, which is even: a frame is a multiple of eight bytes.
      a = (a + (words[at] as number) + b) | 0
      b = (b + (words[at + 1] as number) + a) | 0
    }
    return [a >>> 0, b >>> 0]
  }
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}
