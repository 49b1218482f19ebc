import { z } from 'zod'
import type { RemotePage } from '../remote.ts'

/**
 * A reader of lists: `{items, nextCursor}`, or a bare array, which is one whole page. One record
 * that cannot be read spoils the page: left out, it would look deleted. So does a cursor of a
 * wrong type: ignored, all that follows would.
 */
export const pageOf = <T>(record: z.ZodType<T>): z.ZodType<RemotePage<T>> =>
  z.preprocess(
    (data) => (Array.isArray(data) ? { items: data as unknown[] } : data),
    z.object({
      items: z.array(record),
      nextCursor: z
        .string()
        .nullish()
        .transform((cursor) => cursor || null),
    }),
  )
