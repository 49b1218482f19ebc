import { z } from 'zod'
import type { RemoteVariable } from '../remote.ts'
import { idField } from './fields.ts'
import { tracked } from './tracked.ts'

export const variableRecord = z.object({
  id: idField,
  name: z.string(),
  value: z.string(),
  environmentId: idField,
  type: z.enum(['string', 'number', 'boolean']).optional().catch(undefined),
  isSecret: z.boolean().optional().catch(undefined),
  ...tracked,
}) satisfies z.ZodType<RemoteVariable>
