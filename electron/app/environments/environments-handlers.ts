import { ok } from '../../bridge/result.ts'
import { newestRev } from '../../mirror/past-layer.ts'
import { listParents } from '../../mirror/reads/list-parents.ts'
import { variableCounts } from '../../mirror/reads/variable-counts.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { createParent, deleteParent, rowSyncOf, updateParent } from '../edits/edit-parents.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'

type EnvironmentsHandlers = Pick<Handlers, 'environments.list' | 'environments.create' | 'environments.update' | 'environments.delete'>

/** The environments of all projects of a workspace. */
export const environmentsHandlers = (context: AppContext): EnvironmentsHandlers => ({
  'environments.list': ({ workspaceId }) =>
    inSession(context, workspaceId, async (session) => {
      // Read before the rows, so that a change written in between counts as not shown.
      const rev = session.mirror.snapshot(newestRev)
      const rows = await listParents(session.mirror, 'environment')
      const counts = await variableCounts(session.mirror)
      return ok(
        rows.flatMap(({ id, parent_id: projectId, name, slug, ...row }) =>
          projectId === null ? [] : [{ id, projectId, name, slug, variableCount: counts.get(id) ?? 0, ...rowSyncOf(row), rev }],
        ),
      )
    }),
  'environments.create': ({ workspaceId, projectId, ...input }) =>
    edit(context, workspaceId, ['environments'], (tx, editContext) => createParent(tx, editContext, 'environment', projectId, input)),
  'environments.update': ({ workspaceId, id, seen, ...input }) =>
    edit(context, workspaceId, ['environments'], (tx, editContext) => updateParent(tx, editContext, 'environment', id, seen, input)),
  'environments.delete': ({ workspaceId, id, seen }) =>
    edit(context, workspaceId, ['environments', 'variables'], (tx, editContext) => deleteParent(tx, editContext, 'environment', id, seen)),
})
