import { z } from 'zod'
import type { RemoteEnvironment } from '../remote.ts'
import { idField } from './fields.ts'
import { tracked } from './tracked.ts'

export const environmentRecord = z.object({
  id: idField,
  name: z.string(),
  slug: z.string(),
  projectId: idField,
  ...tracked,
}) satisfies z.ZodType<RemoteEnvironment>
