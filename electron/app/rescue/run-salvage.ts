import { randomBytes } from 'node:crypto'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import { repairMirror, type RepairNote } from '../../mirror/salvage/repair-mirror.ts'
import type { RepairReport } from '../../mirror/salvage/repair-report.ts'
import { removeDatabase, salvageMirror } from '../../mirror/salvage/salvage-mirror.ts'
import { diskError } from '../settings/disk-error.ts'
import { createNewId } from '../workspaces/new-id.ts'

/** What is to be done about a damaged database; plain data, to be handed to a thread. */
export interface SalvageTask {
  /** look: what a repair would save. copy: the same, and what can be read stays at `lookOf(file)`. repair: see `repairMirror`. */
  do: 'look' | 'copy' | 'repair'
  file: string
  /** Named where it cannot be written. */
  dataDir: string
  /** Milliseconds since the epoch. */
  now: number
}

/** `note` after a repair only. */
export interface Salvaged {
  report: RepairReport
  note: RepairNote | null
}

/** Where what can be read of a damaged database is laid to be looked at. */
export const lookOf = (file: string): string => `${file}.look`

export const notDamaged: AppError = {
  kind: 'not-found',
  message: "This workspace's database opens, so there's nothing to repair.",
}

/**
 * Looks into a damaged database that nobody has open, or repairs it: many seconds for a large one, in one go. Full disks and folders that cannot be
 * written are said, and the damaged file is untouched by them.
 */
export function runSalvage({ do: what, file, dataDir, now }: SalvageTask): Result<Salvaged, AppError> {
  const context: EnqueueContext = {
    now,
    newId: createNewId({ now: () => now, randomBytes: (length) => new Uint8Array(randomBytes(length)) }),
  }
  try {
    const opened = openMirror(file, { thorough: true })
    if (opened.ok) opened.value.close()
    if (opened.ok) return err(notDamaged)
    if (opened.error.kind !== 'database-damaged') return opened
    return what === 'repair' ? repair(file, context) : look(file, context, what === 'copy')
  } catch (error) {
    const known = diskError(error, dataDir)
    if (known === null) throw error
    return err(known)
  }
}

function repair(file: string, context: EnqueueContext): Result<Salvaged, AppError> {
  const repaired = repairMirror(file, context)
  return repaired.ok ? ok({ report: repaired.value.report, note: repaired.value }) : repaired
}

function look(file: string, context: EnqueueContext, stays: boolean): Result<Salvaged, AppError> {
  const at = lookOf(file)
  removeDatabase(at)
  const salvaged = salvageMirror(file, at, context)
  if (!salvaged.ok) return salvaged
  const { mirror, report } = salvaged.value
  mirror.close()
  if (!stays) removeDatabase(at)
  return ok({ report, note: null })
}
