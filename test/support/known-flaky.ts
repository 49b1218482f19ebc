import { z } from 'zod'
import listed from '../flaky.json' with { type: 'json' }

/** Tests that may fail once and pass when tried again. Any other that does so fails the run. */
export const knownFlakySchema = z.array(
  z.strictObject({
    /** As the runner's report names it: `tree.spec.ts › a title`, without the shell. */
    test: z.string().regex(/^\S+\.spec\.ts › \S/),
    /** Why it is not mended yet, in a sentence. */
    reason: z.string().min(20),
    /** The day it was listed. */
    since: z.iso.date(),
  }),
)

export type KnownFlaky = z.infer<typeof knownFlakySchema>

/** The list in test/flaky.json. Throws where an entry lacks its reason or date. */
export const knownFlaky = (): KnownFlaky => knownFlakySchema.parse(listed)
