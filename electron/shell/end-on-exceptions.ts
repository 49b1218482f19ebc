import type { AppDeps } from '../app/app-deps.ts'
import { traceOf } from '../app/trace-of.ts'

/** How long an application may take to close after an unexpected error. */
const closeMs = 10_000

export interface LastWords {
  log: AppDeps['log']
  /** Tells the user one sentence. The process ends only after it resolves. */
  tell(sentence: string): Promise<unknown> | void
  /** Closes the application, if it is open. */
  close(): Promise<unknown>
  exit(code: number): void
}

/**
 * Closes the application and ends the process on an uncaught error. Returns a function that does the same with an error that was caught.
 * Committed changes are on the disk, but the error may have interrupted anything else. The log gets the stack without the message, which may
 * quote a value. The user gets one sentence with a reference to the line in the log. A second error while closing ends the process at once.
 */
export function endOnExceptions({ log, tell, close, exit }: LastWords): (error: unknown) => void {
  let isEnding = false
  const end = (error: unknown): void => {
    if (isEnding) return exit(1)
    isEnding = true
    const reference = crypto.randomUUID().slice(0, 8)
    // Logged as a warning, because errors are also written to the terminal, where only the sentence should be.
    log('warn', 'an uncaught exception ends Holdfast', { reference, ...traceOf(error) })
    const closed = Promise.race([close(), new Promise((resolve) => setTimeout(resolve, closeMs))])
    const told = tell(
      `Something went wrong in Holdfast, and it has to close. Your changes are kept. Start it again. If you report it, include ${reference}.`,
    )
    Promise.allSettled([closed, told]).then(
      () => exit(1),
      () => exit(1),
    )
  }
  process.on('uncaughtException', end)
  return end
}
