import { randomBytes } from 'node:crypto'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import { repairMirror, type RepairNote } from '../../mirror/repair/repair-mirror.ts'
import type { RepairReport } from '../../mirror/repair/repair-report.ts'
import { removeDatabase, repairInto } from '../../mirror/repair/repair-into.ts'
import { diskError } from '../settings/disk-error.ts'
import { createNewId } from '../workspaces/new-id.ts'

/** A job for the repair thread, as plain data. */
export interface RepairTask {
  /**
   * preview: counts the rows that a repair would recover. copy: like preview, and keeps these rows at `copyPathOf(file)`. repair: see
   * `repairMirror`.
   */
  do: 'preview' | 'copy' | 'repair'
  file: string
  /** Named in the error when it can't be written. */
  dataDir: string
  /** Milliseconds since the epoch. */
  now: number
}

/** The result of a job. `note`: null for a preview or copy. */
export interface RepairOutcome {
  report: RepairReport
  note: RepairNote | null
}

/** The path of the file that a preview writes the readable rows of a damaged database to. */
export const copyPathOf = (file: string): string => `${file}.look`

export const notDamaged: AppError = {
  kind: 'not-found',
  message: 'This workspace’s database opens, so there’s nothing to repair.',
}

/**
 * Previews or runs the repair of a damaged database, which must be closed. Synchronous, and takes many seconds for a large one. Returns an
 * error for a full disk or a read-only folder; the damaged file is then untouched.
 */
export function runRepair({ do: what, file, dataDir, now }: RepairTask): Result<RepairOutcome, AppError> {
  const context: EnqueueContext = {
    now,
    newId: createNewId({ now: () => now, randomBytes: (length) => new Uint8Array(randomBytes(length)) }),
  }
  try {
    const opened = openMirror(file, { thorough: true, mustExist: true })
    if (opened.ok) opened.value.close()
    if (opened.ok) return err(notDamaged)
    if (opened.error.kind !== 'database-damaged' && opened.error.kind !== 'database-missing') return opened
    return what === 'repair' ? repair(file, context) : preview(file, context, what === 'copy')
  } catch (error) {
    const known = diskError(error, dataDir)
    if (known === null) throw error
    return err(known)
  }
}

function repair(file: string, context: EnqueueContext): Result<RepairOutcome, AppError> {
  const repaired = repairMirror(file, context)
  return repaired.ok ? ok({ report: repaired.value.report, note: repaired.value }) : repaired
}

function preview(file: string, context: EnqueueContext, stays: boolean): Result<RepairOutcome, AppError> {
  const at = copyPathOf(file)
  removeDatabase(at)
  const repaired = repairInto(file, at, context)
  if (!repaired.ok) return repaired
  const { mirror, report } = repaired.value
  mirror.close()
  if (!stays) removeDatabase(at)
  return ok({ report, note: null })
}
