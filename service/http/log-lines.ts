import { writeSync } from 'node:fs'

const stderr = 2
const flushMs = 200
const bufferBytes = 32_768
/** UTF-8 takes at most three bytes for a unit of UTF-16. */
const bytesPerUnit = 3

/** Where log lines go: `write` keeps them for a moment, `flush` writes what is kept. */
export interface LogLines {
  write(line: string): void
  flush(): void
}

/**
 * Lines for stderr, written together a few times a second and at the end of the process. When stderr has no reader any more (the parent has
 * ended) they are dropped: a log that cannot be written must never keep the process from stopping.
 */
export const createLogLines = (): LogLines => {
  const waiting = Buffer.allocUnsafe(bufferBytes)
  let length = 0
  let broken = false
  const put = (lines: Buffer) => {
    let bytes = lines
    try {
      while (!broken && bytes.length > 0) bytes = bytes.subarray(writeSync(stderr, bytes))
    } catch (error) {
      // A slow reader loses these lines; a closed pipe loses all later ones.
      broken = (error as NodeJS.ErrnoException).code !== 'EAGAIN'
    }
  }
  const flush = () => {
    put(waiting.subarray(0, length))
    length = 0
  }
  setInterval(flush, flushMs).unref()
  process.on('exit', flush)
  return {
    write: (line) => {
      const most = line.length * bytesPerUnit
      if (length + most > bufferBytes) flush()
      if (most > bufferBytes) put(Buffer.from(line))
      // Each line is written out by itself: many that are joined first take twice as long.
      else length += waiting.write(line, length)
    },
    flush,
  }
}
