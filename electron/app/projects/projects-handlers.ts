import { ok } from '../../bridge/result.ts'
import { newestRev } from '../../mirror/past-layer.ts'
import { listParents } from '../../mirror/reads/list-parents.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { createParent, deleteParent, rowSyncOf, updateParent } from '../edits/edit-parents.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'
import { sampleProjects } from '../workspaces/sample-data.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { addSample } from './add-sample.ts'

type ProjectsHandlers = Pick<Handlers, 'projects.list' | 'projects.create' | 'projects.update' | 'projects.delete' | 'projects.add-sample'>

/** The projects of a workspace. */
export const projectsHandlers = (context: AppContext): ProjectsHandlers => ({
  'projects.list': ({ workspaceId }) =>
    inSession(context, workspaceId, async (session) => {
      // Read before the rows, so that a change written in between counts as not shown.
      const rev = session.mirror.snapshot(newestRev)
      const rows = await listParents(session.mirror, 'project')
      return ok(rows.map((row) => ({ id: row.id, name: row.name, slug: row.slug, ...rowSyncOf(row), rev })))
    }),
  'projects.create': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['projects'], (tx, editContext) => createParent(tx, editContext, 'project', null, input)),
  'projects.update': ({ workspaceId, id, seen, ...input }) =>
    edit(context, workspaceId, ['projects'], (tx, editContext) => updateParent(tx, editContext, 'project', id, seen, input)),
  'projects.delete': ({ workspaceId, id, seen }) =>
    edit(context, workspaceId, ['projects', 'environments', 'variables'], (tx, editContext) =>
      deleteParent(tx, editContext, 'project', id, seen),
    ),
  'projects.add-sample': ({ workspaceId }) =>
    edit(context, workspaceId, ['projects', 'environments', 'variables'], (tx, editContext, session) => {
      const cipher = requireCipher(session)
      return cipher.ok ? addSample(tx, editContext, cipher.value, sampleProjects.slice(0, 1)) : cipher
    }),
})
