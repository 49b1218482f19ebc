import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { reading, writing } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readWorkspace, updateWorkspace, workspaceRecord } from '../store/workspace.ts'

export const workspaceEndpoints: readonly Endpoint[] = [
  reading({
    operation: 1,
    path: '/workspace',
    summary: 'Read the current workspace',
    may: 'read',
    data: records.workspace,
    handle: async (db) => {
      const row = await readWorkspace(db)
      return { data: { id: row.id, name: row.name, slug: row.slug, icon: row.icon, createdAt: row.created_at }, seq: row.seq }
    },
  }),
  writing({
    method: 'PATCH',
    path: '/workspace',
    summary: 'Update the current workspace',
    may: 'workspace.write',
    body: requests.workspacePatch,
    message: 'Workspace updated.',
    data: records.workspaceRecord,
    handle: async (write, { body, ifMatch }) => {
      const row = await updateWorkspace(write, body, ifMatch)
      return {
        data: workspaceRecord(row),
        seq: row.seq,
        audit: { action: 'workspace.update', resource: 'workspace', resourceId: row.id, detail: body },
      }
    },
  }),
]
