import { Worker } from 'node:worker_threads'
import type { ImportFormat } from '../../bridge/rows.ts'
import { readImport, type ReadOutcome } from '../../transfer/read-import.ts'
import { workerFile } from '../worker-file.ts'

/** Texts up to this many characters are read in less time than a thread takes to start. */
const smallText = 100_000
/** A text that a thread has not read by then is made to take for ever. */
const deadlineMs = 60_000

const threadFile = workerFile(import.meta.url, 'read-import-worker')

/**
 * Reads a text to import without holding anything up: a large one is read by a thread, which is ended when `signal` aborts
 * (then the answer is null), when it takes too much memory, or too long.
 */
export async function readAside(text: string, format: ImportFormat | 'auto', signal: AbortSignal): Promise<ReadOutcome | null> {
  if (signal.aborted) return null
  if (text.length <= smallText || threadFile === null) return readImport(text, format)
  return readInThread(threadFile, text, format, signal)
}

function readInThread(file: URL, text: string, format: ImportFormat | 'auto', signal: AbortSignal): Promise<ReadOutcome | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: { text, format }, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 1024 } })
    const tooMuch = (): void => finish({ ok: false, format: format === 'auto' ? 'env' : format, problem: tooMuchSentence })
    const deadline = setTimeout(tooMuch, deadlineMs)
    const cancel = (): void => finish(null)
    const end = (): void => {
      clearTimeout(deadline)
      signal.removeEventListener('abort', cancel)
      void worker.terminate()
    }
    const finish = (outcome: ReadOutcome | null): void => {
      end()
      resolve(outcome)
    }
    signal.addEventListener('abort', cancel)
    worker.on('message', finish)
    worker.on('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuch()
      end()
      reject(error)
    })
  })
}

const tooMuchSentence = 'This text takes too much time or memory to read. Split it and import the parts.'
