import { statfsSync } from 'node:fs'

/** Kept free for edits, and for the other programs of this computer: so many bytes, or less where the disk is small. */
const keptBytes = 256 * 1024 * 1024
const keptShare = 0.05

/** Whether the disk of a folder has more free space than must be kept. True where the system does not say. */
export function hasRoom(folder: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return bavail * bsize > Math.min(keptBytes, blocks * bsize * keptShare)
  } catch {
    return true
  }
}
