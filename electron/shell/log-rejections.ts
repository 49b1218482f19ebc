import type { AppDeps } from '../app/app-deps.ts'
import { traceOf } from '../app/trace-of.ts'

/**
 * Keeps the process alive if a promise rejects that nothing awaits. Committed changes are on the disk, and ending the process would only
 * close the window. The log gets the stack without the message, which may quote a value.
 */
export const logRejections = (log: AppDeps['log']): void => {
  process.on('unhandledRejection', (error) => log('error', 'unhandled rejection', traceOf(error)))
}
