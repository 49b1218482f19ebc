import { z } from 'zod'
import type { Client } from '../client.ts'
import { pageOf } from '../records/page-of.ts'
import { projectRecord } from '../records/project-record.ts'
import type { Remote } from '../remote.ts'
import { at, doneOf, pageAfter, recordOf } from './reply.ts'

type ProjectOperations = Pick<Remote, 'listProjects' | 'createProject' | 'getProject' | 'updateProject' | 'deleteProject'>

export const projectOperations = (client: Client): ProjectOperations => ({
  listProjects: (cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: ['projects'], query: at(cursor), extension: 'projects' }, pageOf(projectRecord)),
    ),

  createProject: (body, options) =>
    recordOf(
      client.send({ method: 'POST', path: ['projects'], body, names: [body.slug], options, extension: 'create-project' }, projectRecord),
    ),

  getProject: (slug) => recordOf(client.send({ method: 'GET', path: ['projects', slug] }, projectRecord)),

  updateProject: (slug, patch, options) =>
    recordOf(
      client.send(
        { method: 'PATCH', path: ['projects', slug], body: patch, names: [patch.slug], options, extension: 'update-project' },
        projectRecord,
      ),
    ),

  deleteProject: (slug, options) => doneOf(client.send({ method: 'DELETE', path: ['projects', slug], options }, z.object({}))),
})
