import { z } from 'zod'
import type { Client } from '../client.ts'
import { environmentRecord } from '../records/environment-record.ts'
import { pageOf } from '../records/page-of.ts'
import type { Remote } from '../remote.ts'
import { at, doneOf, pageAfter, recordOf } from './reply.ts'

type EnvironmentOperations = Pick<
  Remote,
  'listEnvironments' | 'createEnvironment' | 'getEnvironment' | 'updateEnvironment' | 'deleteEnvironment'
>

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

  deleteEnvironment: (project, slug, options) =>
    doneOf(client.send({ method: 'DELETE', path: [...within(project), slug], options, extension: 'delete-environment' }, z.object({}))),
})

const within = (project: string): string[] => ['projects', project, 'environments']
