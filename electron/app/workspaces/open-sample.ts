import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { generateWorkspaceKey } from '../../cipher/workspace-key.ts'
import { addSample } from '../projects/add-sample.ts'
import { diskError } from '../settings/disk-error.ts'
import { keepWorkspaceKey } from './new-workspace.ts'
import type { RunningSession } from './open-session.ts'
import { requireCipher } from './require-cipher.ts'
import { sampleProjects } from './sample-data.ts'
import { makeSampleFolder, type SampleFolder } from './sample-folders.ts'
import type { WorkspaceInfo } from './workspace-info.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

/** The sample workspace. Only one exists at a time. */
export interface Sample {
  /** Returns its session; null: it is not open. */
  session(): Promise<RunningSession | null>
  /** Opens it, unless it is open already. */
  open(): Promise<Result<{ workspaceId: string }, AppError>>
  /** Closes it and deletes its files, if it is open under this id, or without an id if it is open at all. Returns whether it was open. */
  remove(workspaceId?: string): Promise<boolean>
}

interface OpenSample {
  session: RunningSession
  /** Deletes its files. Call it after the session is closed. */
  remove(): Promise<void>
}

const sampleName = 'Sample'

const openIn = async (context: WorkspacesContext, folder: SampleFolder): Promise<Result<RunningSession, AppError>> => {
  const { app, stores, sessions, newId } = context
  const id = newId()
  const store = stores.openSession()
  const kept = await keepWorkspaceKey(store, id, generateWorkspaceKey(app.randomBytes))
  if (!kept.ok) return kept
  const createdAt = new Date(app.now()).toISOString()
  const info: WorkspaceInfo = {
    id,
    kind: 'sample',
    name: sampleName,
    baseUrl: null,
    remoteId: newId(),
    allowInsecure: false,
    values: 'bound',
    createdAt,
  }
  const opened = await sessions.open({ info, folder: folder.path, keyStore: async () => ok(store) })
  if (!opened.ok) return opened
  const cipher = requireCipher(opened.value)
  const filled = cipher.ok
    ? opened.value.mirror.write((tx) => addSample(tx, { now: app.now(), newId }, cipher.value, sampleProjects))
    : cipher
  if (!filled.ok) {
    await sessions.retire(id)
    return filled
  }
  opened.value.wake()
  return opened
}

export function createSample(context: WorkspacesContext): Sample {
  let opening: Promise<Result<OpenSample, AppError>> | null = null
  const current = async (): Promise<OpenSample | null> => {
    const opened = await opening
    return opened?.ok === true ? opened.value : null
  }
  return {
    session: async () => (await current())?.session ?? null,
    async open() {
      const before = await current()
      if (before !== null) return ok({ workspaceId: before.session.id })
      opening = openSample(context)
      const opened = await opening
      return opened.ok ? ok({ workspaceId: opened.value.session.id }) : opened
    },
    async remove(workspaceId) {
      const opened = await current()
      if (workspaceId !== undefined && opened?.session.id !== workspaceId) return false
      opening = null
      if (opened === null) return false
      await context.sessions.retire(opened.session.id)
      await opened.remove()
      return true
    },
  }
}

/**
 * Opens a sample to try Holdfast with. Its service and database are in a temporary folder, and its keys in memory: nothing is in the data
 * folder or the key store. When this resolves, the sample has its data; its service starts later.
 */
const openSample = async (context: WorkspacesContext): Promise<Result<OpenSample, AppError>> => {
  let folder: SampleFolder | null = null
  try {
    const made = await makeSampleFolder()
    if (!made.ok) return made
    folder = made.value
    const opened = await openIn(context, folder)
    if (opened.ok) return ok({ session: opened.value, remove: folder.remove })
    await folder.remove()
    return opened
  } catch (error) {
    await folder?.remove()
    const known = diskError(error, 'the temporary folder')
    if (known === null) throw error
    return err(known)
  }
}
