import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { reading, writing } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import {
  createEnvironment,
  deleteEnvironment,
  listEnvironments,
  readEnvironment,
  readProjectId,
  updateEnvironment,
} from '../store/environments.ts'
import { environmentEvent, environmentUpdated } from '../store/events.ts'

export const environmentEndpoints: readonly Endpoint[] = [
  reading({
    path: '/projects/{slug}/environments',
    summary: 'List the environments of a project',
    may: 'read',
    params: requests.projectParams,
    query: requests.pageQuery,
    data: records.page(records.environmentRecord),
    handle: async (db, { params, query }) => ({ data: await listEnvironments(db, params.slug, query) }),
  }),
  writing({
    operation: 4,
    method: 'POST',
    path: '/projects/{slug}/environments',
    summary: 'Create an environment',
    may: 'environments.write',
    params: requests.projectParams,
    body: requests.environmentCreate,
    status: 201,
    message: 'Environment created.',
    data: records.environment,
    takesIfMatch: false,
    handle: async (write, { params, body }) => {
      const row = await createEnvironment(write, await readProjectId(write, params.slug), body)
      return {
        data: { id: row.id, name: row.name, slug: row.slug, projectId: row.project_id, createdAt: row.created_at },
        seq: row.seq,
        audit: environmentEvent('create', row),
      }
    },
  }),
  reading({
    operation: 5,
    path: '/projects/{slug}/environments/{environmentSlug}',
    summary: 'Read an environment',
    may: 'read',
    params: requests.environmentParams,
    data: records.environment,
    handle: async (db, { params }) => {
      const row = await readEnvironment(db, params.slug, params.environmentSlug)
      return {
        data: { id: row.id, name: row.name, slug: row.slug, projectId: row.project_id, createdAt: row.created_at },
        seq: row.seq,
      }
    },
  }),
  writing({
    operation: 6,
    method: 'PATCH',
    path: '/projects/{slug}/environments/{environmentSlug}',
    summary: 'Update an environment',
    may: 'environments.write',
    params: requests.environmentParams,
    body: requests.environmentPatch,
    message: 'Environment updated.',
    data: records.environmentUpdated,
    handle: async (write, { params, body, ifMatch }) => {
      const current = await readEnvironment(write, params.slug, params.environmentSlug)
      const row = await updateEnvironment(write, current, body, ifMatch)
      return {
        data: { id: row.id, name: row.name, slug: row.slug, projectId: row.project_id, updatedAt: row.updated_at },
        seq: row.seq,
        audit: environmentUpdated(row, body),
      }
    },
  }),
  writing({
    method: 'DELETE',
    path: '/projects/{slug}/environments/{environmentSlug}',
    summary: 'Delete an environment and everything in it',
    may: 'environments.delete',
    params: requests.environmentParams,
    message: 'Environment deleted.',
    data: records.environmentDeleted,
    handle: async (write, { params, ifMatch }) => {
      const row = await readEnvironment(write, params.slug, params.environmentSlug)
      await deleteEnvironment(write, row, ifMatch)
      return {
        data: { id: row.id, name: row.name, slug: row.slug },
        audit: environmentEvent('delete', row),
      }
    },
  }),
]
