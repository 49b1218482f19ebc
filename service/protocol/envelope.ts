import { z } from 'zod'

/** The body of every success (service-interface.md, "Response envelope"). */
export const success = <T extends z.ZodType>(code: number, data: T) =>
  z.strictObject({ success: z.literal(true), code: z.literal(code), message: z.string(), data })

export const issue = z.strictObject({ path: z.string(), message: z.string() })

/**
 * The body of every error. `issues`: which fields were not acceptable and why. `pruned`, of a 410 of the feed: the cursor is of this history,
 * but deletions after it were pruned.
 */
export const failure = z.strictObject({
  success: z.literal(false),
  code: z.int(),
  message: z.string(),
  data: z.strictObject({ issues: z.array(issue).optional(), pruned: z.literal(true).optional() }),
})
export type Failure = z.infer<typeof failure>
