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

/** One frame of a log: a page as a transaction left it. */
export interface WalFrame {
  page: number
  /** Whether a transaction ends with it. */
  commits: boolean
  /** Whether it is of this round of the log. Frames of an earlier round stay behind its present end; one with a damaged head looks the same. */
  isOurs: boolean
  /** Whether its bytes are those that were written, as the checksum says that goes on from the one that the frame before it states. */
  isWhole: boolean
  image: Buffer
}

/** Whether the head of a log is whole; null: there is no frame in it. */
export function walHead(wal: Buffer): { isWhole: boolean; pageSize: number } | null {
  if (wal.length < headerBytes + frameHeaderBytes) return null
  const magic = wal.readUInt32BE(0)
  const own = add([0, 0], wal.subarray(0, 24), magic === magicBig)
  const pageSize = wal.readUInt32BE(8)
  const isKnown = (magic === magicBig || magic === magicLittle) && isPageSize(pageSize)
  return { isWhole: isKnown && own[0] === wal.readUInt32BE(24) && own[1] === wal.readUInt32BE(28), pageSize }
}

/**
 * The frames of a write-ahead log, oldest first (the layout is section 4 of SQLite's file format). Each is checked on the checksum that the
 * frame before it states, so that a damaged frame costs itself, and not all that came after it as it does when SQLite reads the log.
 */
export function* walFrames(wal: Buffer, pageSize: number, isHead: boolean): Generator<WalFrame> {
  const isBig = wal.readUInt32BE(0) === magicBig
  let before: Sum = [wal.readUInt32BE(24), wal.readUInt32BE(28)]
  // Where the head is damaged, the first frame tells which frames belong together.
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

/** The committed pages of a write-ahead log, newest last. `fallbackPageSize`: where its head is damaged. Null: there is nothing in it. */
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
    // The usual case, ten times as fast: a log can have many megabytes, and it is read before anything is shown.
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
