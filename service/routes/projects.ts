import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { reading, writing } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { projectEvent, projectUpdated } from '../store/events.ts'
import { createProject, deleteProject, listProjects, projectRecord, readProject, updateProject } from '../store/projects.ts'

export const projectEndpoints: readonly Endpoint[] = [
  reading({
    path: '/projects',
    summary: 'List projects',
    may: 'read',
    query: requests.pageQuery,
    data: records.page(records.projectRecord),
    handle: async (db, { query }) => ({ data: await listProjects(db, query) }),
  }),
  writing({
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    may: 'projects.write',
    body: requests.projectCreate,
    status: 201,
    message: 'Project created.',
    data: records.projectRecord,
    takesIfMatch: false,
    handle: async (write, { body }) => {
      const row = await createProject(write, body)
      return {
        data: projectRecord(row),
        seq: row.seq,
        audit: projectEvent('create', row),
      }
    },
  }),
  reading({
    operation: 2,
    path: '/projects/{slug}',
    summary: 'Read a project',
    may: 'read',
    params: requests.projectParams,
    data: records.project,
    handle: async (db, { params }) => {
      const row = await readProject(db, params.slug)
      return { data: { id: row.id, name: row.name, slug: row.slug, icon: row.icon, createdAt: row.created_at }, seq: row.seq }
    },
  }),
  writing({
    method: 'PATCH',
    path: '/projects/{slug}',
    summary: 'Update a project',
    may: 'projects.write',
    params: requests.projectParams,
    body: requests.projectPatch,
    message: 'Project updated.',
    data: records.projectRecord,
    handle: async (write, { params, body, ifMatch }) => {
      const row = await updateProject(write, await readProject(write, params.slug), body, ifMatch)
      return {
        data: projectRecord(row),
        seq: row.seq,
        audit: projectUpdated(row, body),
      }
    },
  }),
  writing({
    operation: 3,
    method: 'DELETE',
    path: '/projects/{slug}',
    summary: 'Delete a project and everything in it',
    may: 'projects.delete',
    params: requests.projectParams,
    message: 'Project deleted.',
    data: records.projectDeleted,
    handle: async (write, { params, ifMatch }) => {
      const row = await readProject(write, params.slug)
      await deleteProject(write, row, ifMatch)
      return {
        data: { id: row.id, name: row.name, slug: row.slug },
        audit: projectEvent('delete', row),
      }
    },
  }),
]
