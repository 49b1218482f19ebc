import { z } from 'zod'

const fields = z.object({
  name: z.string().max(255).optional(),
  slug: z.string().max(255).optional(),
  /** Sealed: `v1:`. */
  value: z.string().max(6_000_000).optional(),
  type: z.enum(['string', 'number', 'boolean']).optional(),
  isSecret: z.boolean().optional(),
})

const place = z.object({ name: z.string().min(1).max(255), slug: z.string().min(1).max(255) })

/** One unsent edit, identified by names and slugs, because local ids mean nothing in another database. */
const unsentEdit = z.object({
  kind: z.enum(['create', 'update', 'delete']),
  subject: z.enum(['project', 'environment', 'variable']),
  /** Its project; missing for a project. */
  project: place.optional(),
  environment: place.optional(),
  /** For a move: the former environment. */
  from: z.object({ project: place, environment: place }).optional(),
  /** The name of a variable, the slug of the others, as it was before the edit. */
  key: z.string().min(1).max(255),
  /** The fields that the edit sets. */
  set: fields,
  /** The whole row after the edit, to create the row if it is missing. */
  whole: fields,
  madeAt: z.string(),
})

/** The file of unsent edits. `holdfast` identifies the format; values are sealed under the workspace key. */
export const unsentFile = z.object({
  holdfast: z.literal('unsent-edits'),
  version: z.literal(1),
  workspace: z.object({ name: z.string(), id: z.string() }),
  edits: z.array(unsentEdit).max(200_000),
  /** Operations, such as an invitation, as sentences. They can't be reapplied from a file; the user has to make them again. */
  requests: z.array(z.string()),
})

export type UnsentEdit = z.infer<typeof unsentEdit>
export type UnsentFields = z.infer<typeof fields>
export type UnsentFile = z.infer<typeof unsentFile>
