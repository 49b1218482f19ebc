import { STATUS_CODES } from 'node:http'
import type { FastifyError } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Failure } from '../protocol/envelope.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import { bodyLimit } from '../protocol/limits.ts'
import { Refusal } from '../store/refusal.ts'
import { UnknownOutcomeError } from '../store/store.ts'

/** The body of an error answer. */
export const failureBody = (code: number, message: string, data: Failure['data'] = {}): Failure => ({ success: false, code, message, data })

export interface ErrorAnswer {
  body: Failure
  retryAfterSeconds?: number
  /** True for an internal failure, which is logged with its stack. */
  bug: boolean
}

const answer = (code: number, message: string, data?: Failure['data']): ErrorAnswer => ({
  body: failureBody(code, message, data),
  bug: false,
})

const mostIssues = 20

/** Adds a full stop to a text that ends without punctuation. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const invalid = (error: {
  validation: { instancePath: string; message?: string | undefined }[]
  validationContext?: string | undefined
}): ErrorAnswer => {
  if (error.validationContext === 'params') return answer(errorCodes.notFound, 'There is nothing at this address.')
  const issues = error.validation.slice(0, mostIssues).map((issue) => ({
    path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: sentence(issue.message ?? 'Not valid'),
  }))
  const [first] = issues
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `
  const what = first?.message ?? 'Not valid.'
  return error.validationContext === 'querystring'
    ? answer(errorCodes.badRequest, `The query is not valid. ${where}${what}`, { issues })
    : answer(errorCodes.unprocessable, `The body is not valid. ${where}${what}`, { issues })
}

const frameworkMessages: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: `The body is larger than ${bodyLimit / 1024 / 1024} MiB. Send less at once.`,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON: send Content-Type: application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
  FST_ERR_BAD_URL: 'The address is not a well-formed URL path.',
}

/** SQLite: locked, disk full, disk failing. PostgreSQL: class 08 connection, 25006 read-only, 53 resources, 57P shutting down, 40001 and 40P01 a conflict that undid
 * the transaction. The system: no connection. */
const unavailableCode = /^(?:SQLITE_(?:BUSY|FULL|IOERR|READONLY)|08|25006|53|57P|40001|40P01|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH)/
// The driver gives these no code.
const unavailableMessage =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/

const isUnavailable = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return (typeof code === 'string' && unavailableCode.test(code)) || (typeof message === 'string' && unavailableMessage.test(message))
}

/**
 * The answer to anything thrown while a request with this body is handled: never a stack trace, never a message that was not written for
 * a person.
 */
export const errorAnswer = (error: unknown, body: unknown): ErrorAnswer => {
  if (error instanceof Refusal) {
    const refused = answer(error.code, error.message, error.data)
    return error.retryAfterSeconds === undefined ? refused : { ...refused, retryAfterSeconds: error.retryAfterSeconds }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const missing = error.validationContext === 'body' && (body === undefined || body === null)
    return missing ? answer(errorCodes.unprocessable, 'This request needs a body: send a JSON object.') : invalid(error)
  }
  const { statusCode, code } = error as Partial<FastifyError>
  if (error instanceof UnknownOutcomeError) {
    const message =
      'The connection to the database broke during the write, so its outcome is unknown. Read the record before you write again.'
    return { ...answer(errorCodes.internal, message), bug: true }
  }
  if (isUnavailable(error)) {
    return {
      ...answer(errorCodes.unavailable, 'The storage cannot be reached or written now. Nothing was changed; try again.'),
      retryAfterSeconds: 2,
      bug: true,
    }
  }
  // Longer than any name can be, so no such record exists.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return answer(errorCodes.notFound, 'There is nothing at this address.')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const known = typeof code === 'string' ? frameworkMessages[code] : undefined
    return answer(statusCode, known ?? `The request cannot be read: ${STATUS_CODES[statusCode] ?? 'bad request'}.`)
  }
  return { ...answer(errorCodes.internal, 'The service failed. The log has the details under this request id.'), bug: true }
}
