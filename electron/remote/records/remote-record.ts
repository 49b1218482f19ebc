import type { z } from 'zod'
import type { RecordResource, RemoteRecord } from '../remote.ts'
import { environmentRecord } from './environment-record.ts'
import { memberRecord } from './member-record.ts'
import { projectRecord } from './project-record.ts'
import { variableRecord } from './variable-record.ts'
import { versionRecord } from './version-record.ts'

const records = {
  project: projectRecord,
  environment: environmentRecord,
  variable: variableRecord,
  version: versionRecord,
  member: memberRecord,
} satisfies Record<RecordResource, z.ZodType>

/** Whether a kind of record is known to this client. */
export const isRecordResource = (resource: string): resource is RecordResource => Object.hasOwn(records, resource)

/** The record of this kind, and of this id unless that is null; null: it cannot be read. */
export function readRecord(resource: RecordResource, id: string | null, data: unknown): RemoteRecord | null {
  const parsed = records[resource].safeParse(data)
  return parsed.success && (id === null || parsed.data.id === id) ? ({ resource, record: parsed.data } as RemoteRecord) : null
}
