import { ok } from '../../bridge/result.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { notFound } from '../edits/refusals.ts'
import type { Handlers } from '../handlers.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { createVersion, rollBack } from './edit-versions.ts'
import { fetchVersion, mirrorVersion } from './fetch-version.ts'
import { listVersions } from './list-versions.ts'
import { previewRollback, showVersion, versionValues } from './show-version.ts'

type VersionsHandlers = Pick<
  Handlers,
  | 'versions.list'
  | 'versions.show'
  | 'versions.values'
  | 'versions.preview-rollback'
  | 'versions.create'
  | 'versions.rollback'
  | 'versions.fetch'
  | 'versions.mirror'
>

/** The versions of environments: shown and compared from the mirror, taken and rolled back to through the queue. */
export const versionsHandlers = (context: AppContext): VersionsHandlers => ({
  async 'versions.list'({ workspaceId, environmentId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const isThere = session.value.mirror.snapshot((tx) => getWorking(tx, environmentId)?.kind === 'environment')
    return isThere ? ok(session.value.mirror.snapshot((tx) => listVersions(tx, environmentId))) : notFound('environment')
  },
  async 'versions.show'({ workspaceId, ...args }) {
    const session = await context.workspaces.session(workspaceId)
    return session.ok ? session.value.mirror.snapshot((tx) => showVersion(tx, args)) : session
  },
  async 'versions.values'({ workspaceId, ...args }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const cipher = requireCipher(session.value)
    if (!cipher.ok) return cipher
    const { maskAll } = context.settings.get()
    return session.value.mirror.snapshot((tx) => versionValues(tx, cipher.value, args, maskAll))
  },
  async 'versions.preview-rollback'({ workspaceId, versionId }) {
    const session = await context.workspaces.session(workspaceId)
    return session.ok ? session.value.mirror.snapshot((tx) => previewRollback(tx, versionId)) : session
  },
  async 'versions.create'({ workspaceId, ...input }) {
    const created = await edit(context, workspaceId, ['versions'], (tx, editContext) => createVersion(tx, editContext, input))
    return created.ok ? ok({ id: created.value.id }) : created
  },
  'versions.rollback': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['versions'], (tx, editContext) => rollBack(tx, editContext, input)),
  async 'versions.fetch'({ workspaceId, versionId }) {
    const session = await context.workspaces.session(workspaceId)
    return session.ok ? fetchVersion(context, session.value, versionId) : session
  },
  async 'versions.mirror'({ workspaceId, environmentId, remoteId }) {
    const session = await context.workspaces.session(workspaceId)
    return session.ok ? mirrorVersion(context, session.value, environmentId, remoteId.trim()) : session
  },
})
