import type { RemoteEnvironment, RemoteProject, RemoteVariable } from '../../remote/remote.ts'
import type { BaseRow, RowKind } from '../../queue/entry.ts'
import type { Fields } from '../../queue/fields.ts'
import type { EngineDeps } from './engine-deps.ts'

/** A record of the server in the terms of the mirror. Values are sealed and tagged here, before anything is stored. */
export interface RemoteRow extends Pick<BaseRow, 'remoteId' | 'etag' | 'createdAt' | 'updatedAt' | 'updatedBy'> {
  kind: RowKind
  /** The server's id of the parent; null for a project. */
  parentRemoteId: string | null
  fields: Fields
}

type Tracked = Pick<RemoteProject, 'id' | 'createdAt' | 'updatedAt' | 'updatedBy' | 'etag'>

const tracked = (record: Tracked) => ({
  remoteId: record.id,
  etag: record.etag ?? null,
  createdAt: record.createdAt ?? null,
  updatedAt: record.updatedAt ?? null,
  updatedBy: record.updatedBy ?? null,
})

export const projectRow = (record: RemoteProject): RemoteRow => ({
  kind: 'project',
  parentRemoteId: null,
  fields: { name: record.name, slug: record.slug },
  ...tracked(record),
})

export const environmentRow = (record: RemoteEnvironment): RemoteRow => ({
  kind: 'environment',
  parentRemoteId: record.projectId,
  fields: { name: record.name, slug: record.slug },
  ...tracked(record),
})

/** A value the server shows in plain is sealed here: it never touches the disk as it came. */
export function variableRow(record: RemoteVariable, cipher: EngineDeps['cipher']): RemoteRow {
  const fields: Fields = { name: record.name }
  fields.value = cipher.accept(record.value)
  if (record.type !== undefined) fields.type = record.type
  if (record.isSecret !== undefined) fields.isSecret = record.isSecret
  return { kind: 'variable', parentRemoteId: record.environmentId, fields, ...tracked(record) }
}
