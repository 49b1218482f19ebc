import type { AppDeps } from '../app/app-deps.ts'
import { traceOf } from '../app/trace-of.ts'

/** How long an application may take to close after an unexpected error. */
const closeMs = 10_000

export interface LastWords {
  log: AppDeps['log']
  /** Tells the user in one sentence; the process stays until it resolves. */
  tell(sentence: string): Promise<unknown> | void
  /** Closes the application, where it has come so far. */
  close(): Promise<unknown>
  exit(code: number): void
}

/**
 * Closes the application and ends the process on an uncaught error: committed changes are on the disk, but the error may have interrupted
 * anything. The log gets the stack without the message, which may quote a value; the user gets one sentence with a reference to that
 * line. A second error while it closes ends the process at once.
 */
export function endOnExceptions({ log, tell, close, exit }: LastWords): void {
  let isEnding = false
  process.on('uncaughtException', (error) => {
    if (isEnding) return exit(1)
    isEnding = true
    const reference = crypto.randomUUID().slice(0, 8)
    // A warning: errors go to the terminal too, where the sentence is to stand alone.
    log('warn', 'an uncaught exception ends Holdfast', { reference, ...traceOf(error) })
    const closed = Promise.race([close(), new Promise((resolve) => setTimeout(resolve, closeMs))])
    const told = tell(
      `Something went wrong in Holdfast, and it has to close. Your changes are kept. Start it again. If you report it, include ${reference}.`,
    )
    Promise.allSettled([closed, told]).then(
      () => exit(1),
      () => exit(1),
    )
  })
}
