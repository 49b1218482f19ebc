import { z } from 'zod'
import type { RemoteMember } from '../remote.ts'
import { idField } from './fields.ts'

export const memberRecord = z.object({
  id: idField,
  email: z.string(),
  status: z.string(),
  roleId: z.string(),
}) satisfies z.ZodType<RemoteMember>
