import type { ImportFormat } from '../../bridge/rows.ts'
import { readImport, type ReadOutcome } from '../../transfer/read-import.ts'
import { askThread } from '../ask-thread.ts'
import { workerFile } from '../worker-file.ts'

/** A shorter text is read faster than a thread starts. */
const smallText = 100_000
/** The longest time for one text: a text that takes longer was made to block the reader. */
const deadlineMs = 60_000

const threadFile = workerFile(import.meta.url, 'read-import-worker')

/**
 * Reads a text to import without blocking. A large text is read in a thread. The thread is terminated if `signal` aborts (the answer is
 * then null), or if it takes too long or too much memory.
 */
export async function readAside(text: string, format: ImportFormat | 'auto', signal: AbortSignal): Promise<ReadOutcome | null> {
  if (signal.aborted) return null
  if (text.length <= smallText || threadFile === null) return readImport(text, format)
  return readInThread(threadFile, text, format, signal)
}

async function readInThread(file: URL, text: string, format: ImportFormat | 'auto', cancelled: AbortSignal): Promise<ReadOutcome | null> {
  const tooMuch: ReadOutcome = { ok: false, format: format === 'auto' ? 'env' : format, problem: tooMuchSentence }
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(deadlineMs)])
  try {
    const outcome = await askThread<ReadOutcome>(file, { text, format }, { signal, resourceLimits: { maxOldGenerationSizeMb: 1024 } })
    if (cancelled.aborted) return null
    return outcome ?? tooMuch
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuch
    throw error
  }
}

const tooMuchSentence = 'This text takes too much time or memory to read. Split it and import the parts.'
