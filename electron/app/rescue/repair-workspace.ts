import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import { repairMirror, type RepairNote } from '../../mirror/salvage/repair-mirror.ts'
import type { RepairReport } from '../../mirror/salvage/repair-report.ts'
import { removeDatabase, salvageMirror } from '../../mirror/salvage/salvage-mirror.ts'
import { diskError } from '../settings/disk-error.ts'
import { workspaceErrors } from '../workspaces/workspace-errors.ts'
import { workspacePaths } from '../workspaces/workspace-folders.ts'
import type { WorkspacesContext } from '../workspaces/workspaces-context.ts'

const notDamaged: AppError = { kind: 'not-found', message: 'The database of this workspace can be opened: there is nothing to repair.' }

/** What a repair would save, counted on a copy that is thrown away. */
export const lookIntoDamaged = async (context: WorkspacesContext, id: string): Promise<Result<RepairReport, AppError>> =>
  withSalvaged(context, id, (_mirror, report) => report)

/** Runs `use` on what can be read of a damaged database, in a file beside it that is deleted afterwards; the damaged one stays as it is. */
export async function withSalvaged<T>(
  context: WorkspacesContext,
  id: string,
  use: (mirror: Mirror, report: RepairReport) => T,
): Promise<Result<T, AppError>> {
  const file = await damagedFile(context, id)
  if (!file.ok) return file
  const look = `${file.value}.look`
  return guarded(context, () => {
    removeDatabase(look)
    const salvaged = salvageMirror(file.value, look, enqueueContext(context))
    if (!salvaged.ok) return salvaged
    const { mirror, report } = salvaged.value
    try {
      return ok(use(mirror, report))
    } finally {
      mirror.close()
      removeDatabase(look)
    }
  })
}

/** Repairs the database of a workspace that is closed, or cannot be opened; where it can be opened after all, nothing is done. */
export async function repairWorkspace(context: WorkspacesContext, id: string): Promise<Result<RepairNote, AppError>> {
  await context.sessions.retire(id)
  try {
    const file = await damagedFile(context, id)
    return file.ok ? guarded(context, () => repairMirror(file.value, enqueueContext(context))) : file
  } finally {
    context.sessions.reinstate(id)
  }
}

/** The database of a workspace that cannot be opened because it is damaged. */
async function damagedFile({ folders, sessions }: WorkspacesContext, id: string): Promise<Result<string, AppError>> {
  if ((await folders.find(id)) === null) return err(workspaceErrors.notFound)
  if (sessions.opened(id) !== null) return err(notDamaged)
  const file = workspacePaths(folders.pathOf(id)).mirror
  const opened = openMirror(file, { thorough: true })
  if (opened.ok) opened.value.close()
  if (opened.ok) return err(notDamaged)
  return opened.error.kind === 'database-damaged' ? ok(file) : opened
}

const enqueueContext = ({ app, newId }: WorkspacesContext): EnqueueContext => ({ now: app.now(), newId: () => newId() })

/** Full disks and folders that cannot be written are said; the damaged file is untouched by them. */
function guarded<T>({ app }: WorkspacesContext, work: () => Result<T, AppError>): Result<T, AppError> {
  try {
    return work()
  } catch (error) {
    const known = diskError(error, app.dataDir)
    if (known === null) throw error
    return err(known)
  }
}
