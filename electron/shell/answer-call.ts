import { z } from 'zod'
import type { Application } from '../bridge/bridge.ts'
import { traceOf } from '../app/trace-of.ts'
import { err, type Result } from '../bridge/result.ts'

/** A call of the page, as it comes to the application. The application checks `args`. */
export const callSchema = z.strictObject({ kind: z.enum(['query', 'command']), name: z.string().max(64), args: z.unknown() })
export type Call = z.infer<typeof callSchema>

/** Answers one call of the page. Never rejects. If the application throws, the answer is a `bug` with a reference that is in the log. */
export async function answerCall(
  application: Application,
  call: Call,
  log: (level: 'error', message: string, data: Record<string, unknown>) => void,
): Promise<Result<unknown>> {
  try {
    return await application[call.kind](call.name, call.args)
  } catch (error) {
    const reference = crypto.randomUUID().slice(0, 8)
    log('error', 'a call failed unexpectedly', { reference, call: call.name, ...traceOf(error) })
    return err({
      kind: 'bug',
      reference,
      message: `Something went wrong in Holdfast. Try again. If you report it, include ${reference}.`,
    })
  }
}
