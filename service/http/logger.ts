import { pino } from 'pino'
import type { Logger } from 'pino'
import { createLogLines } from './log-lines.ts'

/** Fields that are never written, wherever they turn up in what is logged. */
const secret = ['value', 'values', 'variables', 'apiKey', 'key_hash', 'hash', 'authorization', 'password', 'databaseUrl', 'body']

/** Of an error only what says what went wrong; a database's error may carry the row that it failed on. */
const plainError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { type: typeof error }
  return { type: error.name, code: (error as { code?: unknown }).code, message: error.message, stack: error.stack }
}

/** The service's logger: JSON lines on stderr. `flush` writes what is left, at the end. */
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
