import { ok } from '../../bridge/result.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { notFound } from '../edits/refusals.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
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

/** Shows and compares versions from the mirror; queues snapshots and rollbacks. */
export const versionsHandlers = (context: AppContext): VersionsHandlers => ({
  'versions.list': ({ workspaceId, environmentId }) =>
    inSession(context, workspaceId, (session) => {
      const isThere = session.mirror.snapshot((tx) => getWorking(tx, environmentId)?.kind === 'environment')
      return isThere ? ok(session.mirror.snapshot((tx) => listVersions(tx, environmentId))) : notFound('environment')
    }),
  'versions.show': ({ workspaceId, ...args }) =>
    inSession(context, workspaceId, (session) => session.mirror.snapshot((tx) => showVersion(tx, args))),
  'versions.values': ({ workspaceId, ...args }) =>
    inUnlocked(context, workspaceId, (session, cipher) => {
      const { maskAll } = context.settings.get()
      return session.mirror.snapshot((tx) => versionValues(tx, { cipher, workspaceId: session.info.remoteId }, args, maskAll))
    }),
  'versions.preview-rollback': ({ workspaceId, versionId }) =>
    inSession(context, workspaceId, (session) => session.mirror.snapshot((tx) => previewRollback(tx, versionId))),
  async 'versions.create'({ workspaceId, ...input }) {
    const created = await edit(context, workspaceId, ['versions'], (tx, editContext) => createVersion(tx, editContext, input))
    return created.ok ? ok({ id: created.value.id }) : created
  },
  'versions.rollback': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['versions'], (tx, editContext) => rollBack(tx, editContext, input)),
  'versions.fetch': ({ workspaceId, versionId }) => inSession(context, workspaceId, (session) => fetchVersion(context, session, versionId)),
  'versions.mirror': ({ workspaceId, environmentId, remoteId }) =>
    inSession(context, workspaceId, (session) => mirrorVersion(context, session, environmentId, remoteId.trim())),
})
