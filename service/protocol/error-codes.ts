/** Every status that the service answers an error with, and when. `code` in the body is the same number. */
export const errorCodes = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  stale: 412,
  tooLarge: 413,
  unsupportedType: 415,
  unprocessable: 422,
  tooManyRequests: 429,
  headersTooLarge: 431,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes]
