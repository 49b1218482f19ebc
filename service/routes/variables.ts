import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { reading, writing } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readEnvironment } from '../store/environments.ts'
import { variableEvent, variableUpdated } from '../store/events.ts'
import { notFound } from '../store/refusal.ts'
import { andThen } from '../store/soon.ts'
import {
  createVariable,
  deleteVariable,
  deleteVariables,
  findVariable,
  listVariables,
  readVariable,
  readWhole,
  updateVariable,
  variableRecord,
} from '../store/variables.ts'

const environmentPath = '/projects/{slug}/environments/{environmentSlug}'

export const variableEndpoints: readonly Endpoint[] = [
  reading({
    path: `${environmentPath}/variables`,
    summary: 'List the variables of an environment',
    may: 'read',
    params: requests.environmentParams,
    query: requests.pageQuery,
    data: records.page(records.variableRecord),
    handle: async (db, { params, query }) => ({ data: await listVariables(db, params.slug, params.environmentSlug, query) }),
  }),
  writing({
    method: 'POST',
    path: `${environmentPath}/variables`,
    summary: 'Create a variable',
    may: 'variables.write',
    params: requests.environmentParams,
    body: requests.variableCreate,
    status: 201,
    message: 'Variable created.',
    data: records.variableRecord,
    takesIfMatch: false,
    handle: async (write, { params, body }) => {
      const { id } = await readEnvironment(write, params.slug, params.environmentSlug)
      const row = await createVariable(write, id, body)
      return {
        data: variableRecord(row),
        seq: row.seq,
        audit: variableEvent('create', row),
      }
    },
  }),
  writing({
    operation: 9,
    method: 'DELETE',
    path: `${environmentPath}/variables`,
    summary: 'Delete 1 to 200 variables by name',
    may: 'variables.write',
    params: requests.environmentParams,
    body: requests.bulkDelete,
    message: 'Variables deleted.',
    data: records.variablesDeleted,
    takesIfMatch: false,
    handle: async (write, { params, body }) => {
      const { id } = await readEnvironment(write, params.slug, params.environmentSlug)
      const data = await deleteVariables(write, id, body.names)
      const names = data.deleted.map(({ name }) => name)
      return {
        data,
        audit: {
          action: 'variable.delete',
          resource: 'environment',
          resourceId: `${params.slug}/${params.environmentSlug}`,
          detail: { names },
        },
      }
    },
  }),
  reading({
    operation: 7,
    path: `${environmentPath}/variables/{name}`,
    summary: 'Read a variable',
    may: 'read',
    params: requests.variableParams,
    data: records.variable,
    handle: (db, { params }) =>
      andThen(readWhole(db, params.slug, params.environmentSlug, params.name), (row) => ({
        data: {
          id: row.id,
          name: row.name,
          value: row.value,
          environmentId: row.environment_id,
          updatedAt: row.updated_at,
          createdAt: row.created_at,
        },
        seq: row.seq,
      })),
  }),
  writing({
    operation: 8,
    method: 'DELETE',
    path: `${environmentPath}/variables/{name}`,
    summary: 'Delete a variable',
    may: 'variables.write',
    params: requests.variableParams,
    message: 'Variable deleted.',
    data: records.variableDeleted,
    handle: async (write, { params, ifMatch }) => {
      const row = await readVariable(write, params.slug, params.environmentSlug, params.name)
      await deleteVariable(write, row, ifMatch)
      return {
        data: { id: row.id, name: row.name, environmentId: row.environment_id },
        audit: variableEvent('delete', row),
      }
    },
  }),
  writing({
    operation: 10,
    method: 'PATCH',
    path: '/variables/{id}',
    summary: 'Update a variable',
    may: 'variables.write',
    params: requests.idParams,
    body: requests.variablePatch,
    message: 'Variable updated.',
    data: records.variableUpdated,
    // The name must be free in the environment.
    touches: ({ params, body }) => (body.name === undefined ? [params.id] : null),
    handle: async (write, { params, body, ifMatch }) => {
      const current = await findVariable(write, params.id)
      if (current === null) throw notFound('There is no variable with this id.')
      const row = await updateVariable(write, current, body, ifMatch)
      return {
        data: {
          id: row.id,
          name: row.name,
          value: row.value,
          type: row.type,
          environmentId: row.environment_id,
          updatedAt: row.updated_at,
          createdAt: row.created_at,
        },
        seq: row.seq,
        audit: variableUpdated(row, body),
      }
    },
  }),
]
