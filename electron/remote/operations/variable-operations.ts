import { z } from 'zod'
import { err } from '../../bridge/result.ts'
import type { Client } from '../client.ts'
import { idField } from '../records/fields.ts'
import { pageOf } from '../records/page-of.ts'
import { variableRecord } from '../records/variable-record.ts'
import type { Remote } from '../remote.ts'
import { at, dataOf, doneOf, outOfBounds, pageAfter, recordOf, wrongCount } from './reply.ts'

type VariableOperations = Pick<Remote, 'listVariables' | 'getVariable' | 'deleteVariable' | 'deleteVariables' | 'updateVariable'>

export const variableOperations = (client: Client): VariableOperations => ({
  listVariables: (project, environment, cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: within(project, environment), query: at(cursor), extension: 'variables' }, pageOf(variableRecord)),
    ),

  getVariable: (project, environment, name) =>
    recordOf(client.send({ method: 'GET', path: [...within(project, environment), name] }, variableRecord)),

  deleteVariable: (project, environment, name, options) =>
    doneOf(client.send({ method: 'DELETE', path: [...within(project, environment), name], options }, z.object({}))),

  async deleteVariables(project, environment, names) {
    if (outOfBounds(names)) return err(wrongCount)
    return dataOf(client.send({ method: 'DELETE', path: within(project, environment), body: { names } }, deletedVariables))
  },

  updateVariable: (id, patch, options) =>
    recordOf(client.send({ method: 'PATCH', path: ['variables', { id }], body: patch, names: [patch.name], options }, variableRecord)),
})

const within = (project: string, environment: string): string[] => ['projects', project, 'environments', environment, 'variables']

const deletedVariables = z.object({ deleted: z.array(z.object({ id: idField, name: z.string() })), notFound: z.array(z.string()) })
