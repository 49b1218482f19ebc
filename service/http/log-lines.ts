import { writeSync } from 'node:fs'

const stderr = 2
const flushMs = 200
const flushAt = 16_384

/** Where log lines go: `write` keeps them for a moment, `flush` writes what is kept. */
export interface LogLines {
  write(line: string): void
  flush(): void
}

/**
 * Lines for stderr, written together a few times a second and at the end of the process. When nobody reads stderr any more (the parent has
 * ended) they are dropped: a log that cannot be written must never keep the process from stopping.
 */
export const createLogLines = (): LogLines => {
  let waiting = ''
  let broken = false
  const flush = () => {
    let bytes = Buffer.from(waiting)
    waiting = ''
    try {
      while (!broken && bytes.length > 0) bytes = bytes.subarray(writeSync(stderr, bytes))
    } catch (error) {
      // A reader that is only slow loses these lines, one that is gone all others.
      broken = (error as NodeJS.ErrnoException).code !== 'EAGAIN'
    }
  }
  setInterval(flush, flushMs).unref()
  process.on('exit', flush)
  return {
    write: (line) => {
      waiting += line
      if (waiting.length >= flushAt) flush()
    },
    flush,
  }
}
