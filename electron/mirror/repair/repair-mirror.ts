import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../enqueue.ts'
import { setState } from '../workspace-state.ts'
import { finishRepair, flush, madeOf } from './finish-repair.ts'
import type { RepairReport } from './repair-report.ts'
import { removeDatabase, repairInto } from './repair-into.ts'

/** The record of a repair, kept in the new database. */
export interface RepairNote {
  report: RepairReport
  /** The path of the copy of the damaged file, or of its log if only that existed. Null: neither existed. */
  copy: string | null
}

/**
 * Replaces a damaged or missing mirror, which must be closed: copies it with its log, saves the readable rows to a new file, and swaps the
 * two atomically. Until the swap the damaged file stays in place; the next open finishes or discards what a crash interrupted. Errors and
 * throws like `repairInto`, and then nothing has changed.
 */
export function repairMirror(file: string, context: EnqueueContext): Result<RepairNote, AppError> {
  const copy = copyAside(file, context.now)
  const making = `${file}.repairing`
  removeDatabase(making)
  const repaired = repairInto(file, making, context)
  if (!repaired.ok) return repaired
  const { mirror, report } = repaired.value
  const note: RepairNote = { report, copy }
  try {
    mirror.write((tx) => {
      setState(tx, 'repair', JSON.stringify(note))
      setState(tx, 'values-unchecked', 'yes')
    })
  } finally {
    // Closing the last connection copies its log into the file.
    mirror.close()
  }
  flush(making)
  renameSync(making, madeOf(file))
  finishRepair(file)
  return ok(note)
}

/** Copies the file and its log to a folder named by the time. Returns the path of the first copy; null: neither exists. */
function copyAside(file: string, now: number): string | null {
  const endings = ['', '-wal'].filter((ending) => existsSync(`${file}${ending}`))
  if (endings[0] === undefined) return null
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-')
  const folder = join(dirname(file), `damaged-${stamp}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, 'mirror.sqlite')
  for (const ending of endings) {
    rmSync(`${copy}${ending}`, { force: true })
    copyFileSync(`${file}${ending}`, `${copy}${ending}`, constants.COPYFILE_EXCL)
    flush(`${copy}${ending}`)
  }
  flush(folder)
  return `${copy}${endings[0]}`
}
