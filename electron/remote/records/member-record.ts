import { z } from 'zod'
import type { RemoteMember, RemoteRole } from '../remote.ts'
import { idField } from './fields.ts'
import { tracked } from './tracked.ts'

export const memberRecord = z.object({
  id: idField,
  email: z.string(),
  status: z.string(),
  roleId: z.string(),
  ...tracked,
}) satisfies z.ZodType<RemoteMember>

/** The specification shows no more of a role than its id; what else a service says is for people to read. */
export const roleRecord = z
  .object({ id: idField, name: z.string().optional().catch(undefined), permissions: z.array(z.string()).catch([]) })
  .transform((role): RemoteRole => ({ id: role.id, name: role.name ?? role.id, permissions: role.permissions }))
