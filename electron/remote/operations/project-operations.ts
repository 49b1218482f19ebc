import { z } from 'zod'
import type { Client } from '../client.ts'
import { pageOf } from '../records/page-of.ts'
import { projectRecord } from '../records/project-record.ts'
import type { Remote } from '../remote.ts'
import { at, doneOf, pageAfter, recordOf } from './reply.ts'

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
