import { existsSync, readFileSync } from 'node:fs'
import { usualPageSize, walFrames, walHead } from './wal-pages.ts'

/**
 * Whether the write-ahead log of a database has a damaged frame followed by committed ones. SQLite reads a log up to the first damaged
 * frame and overwrites the rest, so this has to be checked before SQLite opens the file. An incomplete last transaction is not a hole: a
 * power cut leaves one, and that commit was never confirmed.
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
    // The damaged transaction ends here. It was whole on disk before the next one began.
    if (isBroken && isOurs && commits) isEnded = true
  }
  return false
}
