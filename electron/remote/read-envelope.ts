import { z } from 'zod'
import { err, ok, type Result } from '../bridge/result.ts'

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() })

/** JSON of a body, whatever its content type says; undefined when the bytes are not UTF-8 or not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * The `data` of a successful answer (service-interface.md, "Response envelope"), or why it is not
 * one, as the second half of a sentence that begins with the server's name. `code` and `message`
 * of the envelope are not looked at: the HTTP status speaks.
 */
export function readEnvelope(bytes: Uint8Array): Result<unknown, string> {
  const body = parseJson(bytes)
  if (body === undefined) return err(whyNotJson(bytes))
  const parsed = envelope.safeParse(body)
  if (!parsed.success) return err("doesn't answer like a service")
  if (!parsed.data.success) return err('gave a contradictory answer')
  if (parsed.data.data === undefined || parsed.data.data === null) return err('gave an answer without data')
  return ok(parsed.data.data)
}

function whyNotJson(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trim()
  if (start === '') return 'gave an empty answer'
  if (start.startsWith('<')) return 'answered with a web page'
  return "gave an answer that isn't complete JSON"
}
