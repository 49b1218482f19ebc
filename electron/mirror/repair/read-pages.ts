import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { isPageSize, usualPageSize, walPages } from './wal-pages.ts'

/** The pages of a database file, with the write-ahead log applied. Read-only; no content is trusted. */
export interface Pages {
  /** In bytes. All of a page can hold content: Holdfast's databases reserve none of it. */
  readonly pageSize: number
  /** The numbers of all pages: first those that only the file has, then those in the log, oldest first. */
  readonly numbers: readonly number[]
  /** Null: the file lacks this page, or part of it. */
  page(number: number): Buffer | null
  /** Whether part of the write-ahead log is unusable: the last commits may be missing. */
  readonly logIsDamaged: boolean
  close(): void
}

/**
 * Opens the pages of a database that SQLite may no longer be able to open. If the file is missing, the pages in its log. Throws the
 * system's error if the file can't be read.
 */
export function readPages(file: string): Pages {
  const handle = existsSync(file) ? openSync(file, 'r') : null
  const size = handle === null ? 0 : fstatSync(handle).size
  const head = Buffer.alloc(100)
  if (handle !== null) readSync(handle, head, 0, 100, 0)
  const stated = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  const isHead = head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'
  const statedSize = isHead && isPageSize(stated) ? stated : usualPageSize
  const log = existsSync(`${file}-wal`) ? walPages(readFileSync(`${file}-wal`), statedSize) : null
  const pageSize = log?.pageSize ?? statedSize
  const inFile = Math.floor(size / pageSize)
  const logged = log?.pages ?? new Map<number, Buffer>()
  const older = Array.from({ length: inFile }, (_, index) => index + 1).filter((number) => !logged.has(number))
  return {
    pageSize,
    logIsDamaged: (log?.bad ?? 0) > 0,
    numbers: [...older, ...logged.keys()],
    page(number) {
      const newer = logged.get(number)
      if (newer !== undefined) return newer
      if (handle === null || number < 1 || number > inFile) return null
      const page = Buffer.alloc(pageSize)
      return readSync(handle, page, 0, pageSize, (number - 1) * pageSize) === pageSize ? page : null
    },
    close: () => void (handle !== null && closeSync(handle)),
  }
}
