import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { err, ok, type Result } from '../bridge/result.ts'
import { isWebPage } from './is-web-page.ts'
import { longestText, parseBody } from './parse-body.ts'

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() })

/**
 * Reads the `data` of a successful answer (service-interface.md, "Response envelope") with `schema`. The error is the second half of a
 * sentence that begins with the service's name. `code` and `message` of the envelope are ignored: the HTTP status decides.
 */
export async function readData<T>(bytes: Uint8Array, schema: z.ZodType<T>): Promise<Result<T, string>> {
  const body = await parseBody(bytes)
  if (body === undefined) return err(whyNotJson(bytes))
  const answer = envelope.safeParse(body)
  if (!answer.success) return err('doesn’t answer like a service')
  if (!answer.data.success) return err('gave a contradictory answer')
  if (answer.data.data === undefined || answer.data.data === null) return err('gave an answer without data')
  const parsed = await parseInSlices(schema, answer.data.data)
  return parsed.ok ? parsed : err(`sent an answer with missing data (${parsed.error})`)
}

function whyNotJson(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trim()
  if (start === '') return 'gave an empty answer'
  if (isWebPage(bytes)) return 'answered with a web page'
  const what = 'gave an answer that isn’t complete JSON'
  return bytes.length > longestText ? `${what}, or has a value above ${longestText / 1024 / 1024} MiB, which Holdfast can’t read` : what
}

function parse<T>(schema: z.ZodType<T>, data: unknown, from = 0): Result<T, string> {
  const parsed = schema.safeParse(data)
  return parsed.success ? ok(parsed.data) : err(whereIn(parsed.error, from))
}

/**
 * Returns where the error is. Contains only names of fields and positions, never a value of the answer. `from`: the position in the list of
 * the first record that was checked.
 */
const whereIn = (error: z.ZodError, from: number): string =>
  error.issues[0]?.path.map((key, depth) => String(depth === 1 && typeof key === 'number' ? from + key : key)).join('.') || 'data'

/** How many records to check before other work gets its turn. */
const slice = 2000

/**
 * Does the same as `parse`, but checks a long list a part at a time: the `items` of a page, a bare list, or the `variables` of a version.
 */
async function parseInSlices<T>(schema: z.ZodType<T>, data: unknown): Promise<Result<T, string>> {
  const list = Array.isArray(data) || (isObject(data) && 'items' in data) ? 'items' : 'variables'
  const items: unknown = Array.isArray(data) ? data : isObject(data) ? data[list] : null
  if (!Array.isArray(items) || items.length <= slice) return parse(schema, data)
  const parts: unknown[] = []
  let beside: Record<string, unknown> = {}
  for (let at = 0; at < items.length; at += slice) {
    const part = items.slice(at, at + slice)
    const parsed = parse(schema, Array.isArray(data) ? part : { ...(data as object), [list]: part }, at)
    if (!parsed.ok) return parsed
    const read: unknown = parsed.value
    // Other data is checked in one go.
    if (!isObject(read) || !Array.isArray(read[list])) return parse(schema, data)
    parts.push(...(read[list] as unknown[]))
    // The schema may read a field from the list, such as the name of the workspace: a later part says it anew, or not at all.
    beside = { ...beside, ...known(read) }
    await nextTurn()
  }
  return ok({ ...beside, [list]: parts } as T)
}

const known = (data: Record<string, unknown>) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))

const isObject = (data: unknown): data is Record<string, unknown> => typeof data === 'object' && data !== null
