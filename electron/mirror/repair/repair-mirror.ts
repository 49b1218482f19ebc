import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../enqueue.ts'
import { setState } from '../workspace-state.ts'
import { finishRepair, flush, madeOf } from './finish-repair.ts'
import type { RepairReport } from './repair-report.ts'
import { removeDatabase, repairInto } from './repair-into.ts'

/** What stays on record of a repair, in the new database. */
export interface RepairNote {
  report: RepairReport
  /** Where the damaged file is kept. */
  copy: string
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * Puts a new mirror in the place of a damaged one that nobody has open: copies it aside with its log, saves into a new file what can be
 * read, and swaps the two at one stroke. Until the swap the damaged file is where it was; what a crash leaves half done is finished or
 * forgotten by the next open. Errors and throws as `repairInto`, and then nothing was changed.
 */
export function repairMirror(file: string, context: EnqueueContext): Result<RepairNote, AppError> {
  const copy = copyAside(file, context.now)
  const making = `${file}.repairing`
  removeDatabase(making)
  const repaired = repairInto(file, making, context)
  if (!repaired.ok) return repaired
  const { mirror, report } = repaired.value
  const note: RepairNote = { report, copy, at: context.now }
  try {
    mirror.write((tx) => {
      setState(tx, 'repair', JSON.stringify(note))
      setState(tx, 'values-unchecked', 'yes')
    })
  } finally {
    // The last connection that closes brings its log into the file.
    mirror.close()
  }
  flush(making)
  renameSync(making, madeOf(file))
  finishRepair(file)
  return ok(note)
}

/** Copies the file and its log into a folder named by the time; gives the copy's path. */
function copyAside(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-')
  const folder = join(dirname(file), `damaged-${stamp}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, 'mirror.sqlite')
  for (const ending of ['', '-wal']) {
    if (!existsSync(`${file}${ending}`)) continue
    rmSync(`${copy}${ending}`, { force: true })
    copyFileSync(`${file}${ending}`, `${copy}${ending}`, constants.COPYFILE_EXCL)
    flush(`${copy}${ending}`)
  }
  flush(folder)
  return copy
}
