import { z } from 'zod'
import type { RemoteProject } from '../remote.ts'
import { idField, optionalText } from './fields.ts'
import { tracked } from './tracked.ts'

export const projectRecord = z.object({
  id: idField,
  name: z.string(),
  slug: z.string(),
  icon: optionalText,
  ...tracked,
}) satisfies z.ZodType<RemoteProject>
