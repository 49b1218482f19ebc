import { ok } from '../../bridge/result.ts'
import { listPlaces } from '../../mirror/reads/list-places.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { createPlace, deletePlace, rowSyncOf, updatePlace } from '../edits/places.ts'
import type { Handlers } from '../handlers.ts'
import { sampleProjects } from '../workspaces/sample-data.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { addSample } from './add-sample.ts'

type ProjectsHandlers = Pick<Handlers, 'projects.list' | 'projects.create' | 'projects.update' | 'projects.delete' | 'projects.add-sample'>

/** The projects of a workspace. */
export const projectsHandlers = (context: AppContext): ProjectsHandlers => ({
  async 'projects.list'({ workspaceId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const rows = await listPlaces(session.value.mirror, 'project')
    return ok(rows.map((row) => ({ id: row.id, name: row.name, slug: row.slug, sync: rowSyncOf(row) })))
  },
  'projects.create': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['projects'], (tx, enqueueContext) => createPlace(tx, enqueueContext, 'project', null, input)),
  'projects.update': ({ workspaceId, id, ...input }) =>
    edit(context, workspaceId, ['projects'], (tx, enqueueContext) => updatePlace(tx, enqueueContext, 'project', id, input)),
  'projects.delete': ({ workspaceId, id }) =>
    edit(context, workspaceId, ['projects', 'environments', 'variables'], (tx, enqueueContext) =>
      deletePlace(tx, enqueueContext, 'project', id),
    ),
  'projects.add-sample': ({ workspaceId }) =>
    edit(context, workspaceId, ['projects', 'environments', 'variables'], (tx, enqueueContext, session) => {
      const cipher = requireCipher(session)
      return cipher.ok ? addSample(tx, enqueueContext, cipher.value, sampleProjects.slice(0, 1)) : cipher
    }),
})
