import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { reading, writing } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readEnvironment } from '../store/environments.ts'
import { versionCreated, versionRolledBack } from '../store/events.ts'
import { createVersion, findVersion, listVersions, noVersion, readVersion, rollBack, versionRecord } from '../store/versions.ts'

const versionsPath = '/projects/{slug}/environments/{environmentSlug}/versions'

export const versionEndpoints: readonly Endpoint[] = [
  reading({
    path: versionsPath,
    summary: 'List the versions of an environment, without their variables',
    may: 'read',
    params: requests.environmentParams,
    query: requests.pageQuery,
    data: records.page(records.versionRecord),
    handle: async (db, { params, query }) => ({ data: await listVersions(db, params.slug, params.environmentSlug, query) }),
  }),
  writing({
    method: 'POST',
    path: versionsPath,
    summary: 'Save what an environment holds as a version',
    may: 'versions.write',
    params: requests.environmentParams,
    body: requests.versionCreate,
    status: 201,
    message: 'Version created.',
    data: records.versionRecord,
    takesIfMatch: false,
    handle: async (write, { params, body }) => {
      const { id } = await readEnvironment(write, params.slug, params.environmentSlug)
      const row = await createVersion(write, id, body)
      return {
        data: versionRecord(row),
        seq: row.seq,
        audit: versionCreated(row),
      }
    },
  }),
  reading({
    operation: 11,
    path: '/versions/{id}',
    summary: 'Read a version with its variables',
    may: 'read',
    params: requests.idParams,
    query: requests.versionQuery,
    data: records.version,
    handle: async (db, { params, query }) => {
      const { row, variables, nextCursor } = await readVersion(db, params.id, query)
      const isPage = query.cursor !== undefined || query.limit !== undefined
      return {
        data: {
          id: row.id,
          label: row.label,
          note: row.note,
          variableCount: row.variable_count,
          environmentId: row.environment_id,
          createdAt: row.created_at,
          variables,
          ...(isPage ? { nextCursor } : {}),
        },
        seq: row.seq,
        audit: { action: 'version.read', resource: 'version', resourceId: row.id, detail: { label: row.label } },
      }
    },
  }),
  writing({
    operation: 12,
    method: 'POST',
    path: '/versions/{id}/rollback',
    summary: 'Make the environment hold exactly what the version does',
    may: 'versions.write',
    params: requests.idParams,
    message: 'Rolled back to <version_label>.',
    data: records.rolledBack,
    handle: async (write, { params, ifMatch }) => {
      const row = await findVersion(write, params.id)
      if (row === null) throw noVersion()
      const counts = await rollBack(write, row, ifMatch)
      return {
        data: { versionLabel: row.label, ...counts },
        message: `Rolled back to ${row.label}.`,
        audit: versionRolledBack(row, counts),
      }
    },
  }),
]
