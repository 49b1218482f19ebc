import type { AppDeps } from '../app/app-deps.ts'
import { traceOf } from '../app/trace-of.ts'

/**
 * Keeps the process alive where a promise fails and nobody waits for it: what is committed is on the disk, and an end in the middle would
 * only take the window away. The log says where it was; what the error says may quote a value, and is left out.
 */
export const logRejections = (log: AppDeps['log']): void => {
  process.on('unhandledRejection', (error) => log('error', 'unhandled rejection', traceOf(error)))
}
