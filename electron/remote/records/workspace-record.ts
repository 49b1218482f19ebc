import { z } from 'zod'
import type { RemoteWorkspace } from '../remote.ts'
import { idField, optionalText } from './fields.ts'

export const workspaceRecord = z.object({
  id: idField,
  name: z.string(),
  slug: optionalText,
  icon: optionalText,
}) satisfies z.ZodType<RemoteWorkspace>
