import type { Client } from '../client.ts'
import { environmentRecord } from '../records/environment-record.ts'
import { pageOf } from '../records/page-of.ts'
import type { Remote } from '../remote.ts'
import { at, pageAfter, recordOf } from './reply.ts'

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
