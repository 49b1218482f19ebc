import { z } from 'zod'
import type { RemoteVersion } from '../remote.ts'
import { dateField, idField, optionalText } from './fields.ts'

const snapshot = z.array(z.object({ name: z.string(), value: z.string() }))

/** A version in a list or the feed, or as it was just made. */
export const versionRecord = z.object({
  id: idField,
  label: z.string(),
  note: z.string(),
  variableCount: z.int().min(0),
  environmentId: idField,
  createdAt: dateField,
  updatedBy: optionalText,
  variables: snapshot.optional().catch(undefined),
}) satisfies z.ZodType<RemoteVersion>

/** The single read (operation 11), which is of no use without its variables. */
export const versionWithVariables = versionRecord.extend({ variables: snapshot }) satisfies z.ZodType<RemoteVersion>
