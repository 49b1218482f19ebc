import { z } from 'zod'
import type { RemoteDeleted } from '../remote.ts'
import { idField } from './fields.ts'

const count = z.int().min(0)

export const deletedRecord = z.object({
  id: idField,
  resource: z.enum(['project', 'environment']),
  name: z.string(),
  slug: z.string(),
  parentId: z.string().nullable(),
  deletedAt: z.string(),
  deletedBy: z.string(),
  environmentCount: count,
  variableCount: count,
  versionCount: count,
}) satisfies z.ZodType<RemoteDeleted>
