import { existsSync, readFileSync } from 'node:fs'
import { walFrames, walHead } from './wal-pages.ts'

/** Pages of 4096 bytes are what this app's databases have; it only counts where the head of a log cannot be read. */
const usualPageSize = 4096

/**
 * Whether the write-ahead log of a database has a damaged frame with committed ones behind it. SQLite reads a log up to the first such
 * frame and writes over what follows, so this is asked before it opens the file. A last transaction that is not whole is no hole: a power
 * cut leaves it so, and nobody was told that it was done.
 */
export function logHasHole(file: string): boolean {
  const path = `${file}-wal`
  if (!existsSync(path)) return false
  const wal = readFileSync(path)
  const head = walHead(wal)
  if (head === null) return false
  let isBroken = !head.isWhole
  let isEnded = isBroken
  for (const { commits, isOurs, isWhole } of walFrames(wal, head.isWhole ? head.pageSize : usualPageSize, head.isWhole)) {
    if (isBroken && isOurs && isWhole && isEnded) return true
    if (!isOurs || !isWhole) isBroken = true
    // The transaction that the damage is in ends here; before the next one began, this one was on the disk.
    if (isBroken && isOurs && commits) isEnded = true
  }
  return false
}
