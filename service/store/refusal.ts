import type { Issue } from '../protocol/envelope.ts'
import type { ErrorCode } from '../protocol/error-codes.ts'
import { errorCodes } from '../protocol/error-codes.ts'

/**
 * A request that is refused, with the answer to give. It is thrown, not returned: a throw is what
 * undoes a transaction, and Fastify's error handler is the one place that writes error answers.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[] | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(code: ErrorCode, message: string, more: { issues?: readonly Issue[]; retryAfterSeconds?: number } = {}) {
    super(message)
    this.code = code
    this.issues = more.issues
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** 404 with a sentence that names what is missing. */
export const notFound = (message: string): Refusal => new Refusal(errorCodes.notFound, message)
/** 409: a name, slug, label or e-mail is taken. */
export const taken = (message: string): Refusal => new Refusal(errorCodes.conflict, message)
