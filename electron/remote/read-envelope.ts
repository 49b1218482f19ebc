import { z } from 'zod'
import { err, ok, type Result } from '../bridge/result.ts'
import { parseBody } from './parse-body.ts'

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() })

/**
 * The `data` of a successful answer (service-interface.md, "Response envelope"), or why it is not
 * one, as the second half of a sentence that begins with the service's name. `code` and `message`
 * of the envelope are not looked at: the HTTP status speaks.
 */
export async function readEnvelope(bytes: Uint8Array): Promise<Result<unknown, string>> {
  const body = await parseBody(bytes)
  if (body === undefined) return err(whyNotJson(bytes))
  const parsed = envelope.safeParse(body)
  if (!parsed.success) return err('doesn’t answer like a service')
  if (!parsed.data.success) return err('gave a contradictory answer')
  if (parsed.data.data === undefined || parsed.data.data === null) return err('gave an answer without data')
  return ok(parsed.data.data)
}

function whyNotJson(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trim()
  if (start === '') return 'gave an empty answer'
  if (start.startsWith('<')) return 'answered with a web page'
  return 'gave an answer that isn’t complete JSON'
}
