import { oneAtATime } from '../one-at-a-time.ts'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import type { RepairNote } from '../../mirror/repair/repair-mirror.ts'
import type { RepairReport } from '../../mirror/repair/repair-report.ts'
import { removeDatabase } from '../../mirror/repair/repair-into.ts'
import { askThread } from '../ask-thread.ts'
import { workerFile } from '../worker-file.ts'
import { workspaceErrors } from '../workspaces/workspace-errors.ts'
import { workspacePaths } from '../workspaces/workspace-folders.ts'
import type { WorkspacesContext } from '../workspaces/workspaces-context.ts'
import { copyPathOf, notDamaged, runRepair, type RepairOutcome, type RepairTask } from './run-repair.ts'

const threadFile = workerFile(import.meta.url, 'repair-worker')

/** Runs `runRepair` in a thread, so that windows and other workspaces are not blocked. Rejects with its errors. */
export async function repairInThread(task: RepairTask): Promise<Result<RepairOutcome, AppError>> {
  const outcome = threadFile && (await askThread<Result<RepairOutcome, AppError>>(threadFile, task))
  return outcome ?? runRepair(task)
}

/** Counts what a repair would recover, in a copy that it then deletes. */
export async function previewRepair(context: WorkspacesContext, id: string): Promise<Result<RepairReport, AppError>> {
  const file = await fileOf(context, id)
  if (!file.ok) return file
  return oneAtATime(file.value, async () => {
    const repaired = await repairInThread(taskOf(context, 'preview', file.value))
    return repaired.ok ? ok(repaired.value.report) : repaired
  })
}

/** Runs `use` on a temporary database with the readable rows of a damaged one. The damaged one stays unchanged. */
export async function withRepairedCopy<T>(
  context: WorkspacesContext,
  id: string,
  use: (mirror: Mirror) => Promise<T>,
): Promise<Result<T, AppError>> {
  const file = await fileOf(context, id)
  if (!file.ok) return file
  return oneAtATime(file.value, async () => {
    const repaired = await repairInThread(taskOf(context, 'copy', file.value))
    if (!repaired.ok) return repaired
    const preview = copyPathOf(file.value)
    try {
      const opened = openMirror(preview)
      if (!opened.ok) return opened
      try {
        return ok(await use(opened.value))
      } finally {
        opened.value.close()
      }
    } finally {
      removeDatabase(preview)
    }
  })
}

/** Repairs the database of a workspace that is closed or can't be opened. Does nothing if it can be opened. */
export async function repairWorkspace(context: WorkspacesContext, id: string): Promise<Result<RepairNote, AppError>> {
  const repairing = 'The database of this workspace is being repaired. The damaged file is kept.'
  await context.sessions.retire(id, { kind: 'database-damaged', message: repairing })
  try {
    const file = await fileOf(context, id)
    if (!file.ok) return file
    return await oneAtATime(file.value, async () => {
      const repaired = await repairInThread(taskOf(context, 'repair', file.value))
      if (!repaired.ok) return repaired
      const { note } = repaired.value
      return note === null ? err(notDamaged) : ok(note)
    })
  } finally {
    context.sessions.reinstate(id)
  }
}

/** Returns the database file of a workspace that is not open. */
async function fileOf({ folders, sessions }: WorkspacesContext, id: string): Promise<Result<string, AppError>> {
  if ((await folders.find(id)) === null) return err(workspaceErrors.notFound)
  if (sessions.opened(id) !== null) return err(notDamaged)
  return ok(workspacePaths(folders.pathOf(id)).mirror)
}

const taskOf = ({ app }: WorkspacesContext, what: RepairTask['do'], file: string): RepairTask => ({
  do: what,
  file,
  dataDir: app.dataDir,
  now: app.now(),
})
