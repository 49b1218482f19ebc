import { pino } from 'pino'
import type { Logger } from 'pino'
import { createLogLines } from './log-lines.ts'

/** Fields that are never logged, at any depth. */
const secret = ['value', 'values', 'variables', 'apiKey', 'key_hash', 'hash', 'authorization', 'password', 'databaseUrl', 'body']

/** Logs only the safe parts of an error: a database error may contain the row that it failed on. */
const plainError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { type: typeof error }
  return { type: error.name, code: (error as { code?: unknown }).code, message: error.message, stack: error.stack }
}

/** The service's logger: JSON lines on stderr. `flush` writes the remaining lines at the end. */
export const createLogger = (level: string): { logger: Logger; flush: () => void } => {
  const lines = createLogLines()
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: plainError },
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]), censor: '[redacted]' },
    },
    lines,
  )
  return { logger, flush: () => lines.flush() }
}
