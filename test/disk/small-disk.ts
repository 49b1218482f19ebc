import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A disk that others fill: nothing on it may be written beyond what they leave. */
export interface SmallDisk {
  /** Leaves so many bytes, or what there is if that is less. */
  leave(bytes: number): void
  empty(): void
}

export function createSmallDisk(folder: string): SmallDisk {
  const filler = path.join(folder, 'filler')
  const empty = () => rmSync(filler, { force: true })
  return {
    empty,
    leave(bytes) {
      empty()
      const { bavail, bsize } = statfsSync(folder)
      const size = Math.max(0, bavail * bsize - bytes)
      try {
        writeFileSync(filler, Buffer.alloc(size))
      } catch {
        // The host wrote meanwhile: the disk is as full as it gets.
      }
    },
  }
}
