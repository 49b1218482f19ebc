import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { openMirror } from '../../mirror/open-mirror.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { diskError } from '../settings/disk-error.ts'
import { forgetKeys } from './new-workspace.ts'
import { workspaceErrors } from './workspace-errors.ts'
import { workspacePaths } from './workspace-folders.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

const countQueue = async ({ read }: Mirror): Promise<number> => {
  const row = await read
    .selectFrom('queue')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/**
 * Counts the unsent edits; null: the database can't be read. Opens no session, because that would sync the workspace that is being removed.
 */
const countUnsent = async (context: WorkspacesContext, id: string): Promise<number | null> => {
  const session = context.sessions.opened(id)
  if (session !== null) return countQueue(session.mirror)
  const mirror = openMirror(workspacePaths(context.folders.pathOf(id)).mirror, { mustExist: true })
  if (!mirror.ok) return null
  try {
    return await countQueue(mirror.value)
  } finally {
    mirror.value.close()
  }
}

const unsentError = (count: number | null): AppError | null => {
  if (count === 0) return null
  const what =
    count === null
      ? 'Holdfast can’t tell how many changes haven’t been sent yet'
      : `${count.toLocaleString('en-US')} ${count === 1 ? 'change hasn’t' : 'changes haven’t'} been sent yet`
  return { kind: 'unsent-edits', message: `${what}. Removing the workspace deletes unsent changes permanently.` }
}

/** Deletes a workspace from this computer: its keys, its mirror, and the data of a local service. A remote service keeps its records. */
export const removeWorkspace = async (
  context: WorkspacesContext,
  { workspaceId: id, discardUnsent }: { workspaceId: string; discardUnsent: boolean },
): Promise<Result<null, AppError>> => {
  const { folders, keys, sessions, app } = context
  if ((await folders.find(id)) === null) return err(workspaceErrors.notFound)
  const unsent = async () => (discardUnsent ? null : unsentError(await countUnsent(context, id)))
  const refusal = await unsent()
  if (refusal !== null) return err(refusal)
  const store = await keys.store()
  // Without a chosen store no keys exist. With a locked store, the keys of the removed workspace would stay.
  if (!store.ok && store.error.kind !== 'keys-unchosen') return store
  await sessions.retire(id)
  // The keys may have taken minutes, at a prompt of the system. Until the workspace was closed, another window could edit it.
  const late = await unsent()
  if (late !== null) {
    sessions.reinstate(id)
    return err(late)
  }
  try {
    await folders.remove(id)
  } catch (error) {
    sessions.reinstate(id)
    const known = diskError(error, app.dataDir)
    if (known === null) throw error
    return err(known)
  }
  return store.ok ? forgetKeys(store.value, id) : ok(null)
}
