import type {
  RemoteEnvironment,
  RemoteMember,
  RemoteProject,
  RemoteRecord,
  RemoteVariable,
  RemoteVersion,
} from '../../../remote/records.ts'
import type { RowKind } from '../../../queue/entry.ts'
import type { Fields } from '../../../queue/fields.ts'
import type { RemoteMemberRow, RemoteRow, RemoteVersionRow } from '../../port.ts'
import type { Accept } from './value-rules.ts'

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

export function variableRow(record: RemoteVariable, accept: Accept): RemoteRow {
  const { id: remoteId, environmentId, name, value, type, isSecret } = record
  const fields: Fields = { name }
  if (type !== undefined) fields.type = type
  if (isSecret !== undefined) fields.isSecret = isSecret
  Object.assign(fields, accept({ remoteId, environmentId, name, value, type, isSecret }))
  return { kind: 'variable', parentRemoteId: record.environmentId, fields, ...tracked(record) }
}

export function rowOf(record: RowRecord, accept: Accept): RemoteRow {
  switch (record.resource) {
    case 'project':
      return projectRow(record.record)
    case 'environment':
      return environmentRow(record.record)
    case 'variable':
      return variableRow(record.record, accept)
  }
}

type RowRecord = Extract<RemoteRecord, { resource: RowKind }>

const isRow = (record: RemoteRecord): record is RowRecord => record.resource !== 'version' && record.resource !== 'member'

/** A record of any kind as its part of the port; the other parts are null. */
export const partsOf = (record: RemoteRecord | null, accept: Accept) => ({
  row: record !== null && isRow(record) ? rowOf(record, accept) : null,
  version: record?.resource === 'version' ? versionRow(record.record, accept) : null,
  member: record?.resource === 'member' ? memberRow(record.record) : null,
})

export const versionRow = (record: RemoteVersion, accept: Accept): RemoteVersionRow => ({
  remoteId: record.id,
  environmentRemoteId: record.environmentId,
  label: record.label,
  note: record.note,
  variableCount: record.variableCount,
  createdAt: record.createdAt,
  createdBy: record.updatedBy ?? null,
  variables: record.variables?.map((saved) => savedRow(record, saved, accept)) ?? null,
})

type Saved = NonNullable<RemoteVersion['variables']>[number]

/** A variable that a version holds. */
export const savedRow = ({ environmentId }: Pick<RemoteVersion, 'environmentId'>, { name, value }: Saved, accept: Accept) => ({
  name,
  value: accept({ remoteId: null, environmentId, name, value }).value,
})

/**
 * The weight of a saved value in a slice (`slicesOf`). An empty value has one too: opening it takes time, and a version may hold any number
 * of them.
 */
export const weightOfSaved = ({ value }: Saved): number => Math.max(value.length, leastWeight)
const leastWeight = 2048

/** Returns the weight of a record in a slice. */
export function weightOfRecord(record: RemoteRecord | null): number {
  if (record?.resource === 'variable') return record.record.value.length
  return record?.resource === 'version' ? (record.record.variables ?? []).reduce((sum, saved) => sum + weightOfSaved(saved), 0) : 0
}

export const memberRow = (record: RemoteMember): RemoteMemberRow => ({
  remoteId: record.id,
  email: record.email,
  status: record.status,
  roleId: record.roleId,
  etag: record.etag ?? null,
  createdAt: record.createdAt ?? null,
})
