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
  if (!parsed.success) return err('answers in another form than the service')
  if (!parsed.data.success) return err('answers with success and with failure at once')
  if (parsed.data.data === undefined || parsed.data.data === null) return err('answers without the data it should hold')
  return ok(parsed.data.data)
}

function whyNotJson(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trim()
  if (start === '') return 'answers with nothing'
  if (start.startsWith('<')) return 'answers with a web page'
  return 'answers with something that is not JSON, or cut short'
}
