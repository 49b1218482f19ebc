import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'

/** Records checked before everything else gets its turn. */
const slice = 2000

/** `schema.safeParse` of the data of an answer; the records of a long page (`items`, or a bare list) are checked some at a time. */
export async function parseInSlices<T>(schema: z.ZodType<T>, data: unknown): Promise<z.ZodSafeParseResult<T>> {
  const items: unknown = Array.isArray(data) ? data : typeof data === 'object' && data !== null && 'items' in data ? data.items : null
  if (!Array.isArray(items) || items.length <= slice) return schema.safeParse(data)
  const parts: unknown[] = []
  let first: z.ZodSafeParseSuccess<T> | null = null
  for (let at = 0; at < items.length; at += slice) {
    const part = items.slice(at, at + slice)
    const parsed = schema.safeParse(Array.isArray(data) ? part : { ...(data as object), items: part })
    if (!parsed.success) return parsed
    // A reader of something else than a page takes its data whole.
    if (!isPage(parsed.data)) return schema.safeParse(data)
    parts.push(...parsed.data.items)
    first ??= parsed
    await nextTurn()
  }
  return { success: true, data: { ...first?.data, items: parts } as T }
}

const isPage = (data: unknown): data is { items: unknown[] } =>
  typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items)
