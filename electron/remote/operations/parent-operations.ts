import { z } from 'zod'
import type { Client } from '../client.ts'
import { environmentRecord } from '../records/environment-record.ts'
import { idField } from '../records/fields.ts'
import { pageOf } from '../records/page-of.ts'
import { projectRecord } from '../records/project-record.ts'
import { workspaceRecord } from '../records/workspace-record.ts'
import type { Remote, RemoteDeleted } from '../remote.ts'
import { at, dataOf, doneOf, pageAfter, recordOf } from './reply.ts'

export const workspaceOperations = ({ send }: Client): Pick<Remote, 'getWorkspace'> => ({
  getWorkspace: () => dataOf(send({ method: 'GET', path: ['workspace'] }, workspaceRecord)),
})

type ProjectOperations = Pick<Remote, 'listProjects' | 'getProject' | 'deleteProject'>

export const projectOperations = (client: Client): ProjectOperations => ({
  listProjects: (cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: ['projects'], query: at(cursor), extension: 'projects' }, pageOf(projectRecord)),
    ),

  getProject: (slug) => recordOf(client.send({ method: 'GET', path: ['projects', slug] }, projectRecord)),

  deleteProject: (slug, options) => doneOf(client.send({ method: 'DELETE', path: ['projects', slug], options }, z.object({}))),
})

type EnvironmentOperations = Pick<Remote, 'listEnvironments' | 'createEnvironment' | 'getEnvironment' | 'updateEnvironment'>

export const environmentOperations = (client: Client): EnvironmentOperations => ({
  listEnvironments: (project, cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: within(project), query: at(cursor), extension: 'environments' }, pageOf(environmentRecord)),
    ),

  createEnvironment: (project, body, options) =>
    recordOf(client.send({ method: 'POST', path: within(project), body, names: [body.slug], options }, environmentRecord)),

  getEnvironment: (project, slug) => recordOf(client.send({ method: 'GET', path: [...within(project), slug] }, environmentRecord)),

  updateEnvironment: (project, slug, patch, options) =>
    recordOf(
      client.send({ method: 'PATCH', path: [...within(project), slug], body: patch, names: [patch.slug], options }, environmentRecord),
    ),
})

const within = (project: string): string[] => ['projects', project, 'environments']

const count = z.int().min(0)

const deletedRecord = z.object({
  id: idField,
  resource: z.enum(['project', 'environment']),
  name: z.string(),
  slug: z.string(),
  parentId: z.string().nullable(),
  deletedAt: z.string(),
  deletedBy: z.string(),
  environmentCount: count,
  variableCount: count,
  versionCount: count,
}) satisfies z.ZodType<RemoteDeleted>

type DeletedOperations = Pick<Remote, 'listDeleted' | 'restoreDeleted'>

export const deletedOperations = (client: Client): DeletedOperations => ({
  listDeleted: (cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: ['deleted'], query: at(cursor), extension: 'deleted' }, pageOf(deletedRecord)),
    ),

  restoreDeleted: (id, slug) =>
    doneOf(
      client.send(
        { method: 'POST', path: ['deleted', { id }, 'restore'], body: slug === undefined ? {} : { slug }, extension: 'deleted' },
        z.object({}),
      ),
    ),
})
