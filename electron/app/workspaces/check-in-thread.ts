import { setTimeout as rest } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { isMirrorWhole } from '../../mirror/is-mirror-whole.ts'
import { workerFile } from '../worker-file.ts'

/** The first page goes first: a thread takes memory and a processor. */
const firstPageMs = 250

const threadFile = workerFile(import.meta.url, 'check-worker')

/** `isMirrorWhole` in a thread, once the first page had its time; null: `signal` came first. Rejects when it could not be found out. */
export async function checkInThread(file: string, signal: AbortSignal): Promise<boolean | null> {
  await rest(firstPageMs, null, { signal, ref: false }).catch(() => null)
  if (signal.aborted) return null
  if (threadFile === null) return isMirrorWhole(file)
  const worker = new Worker(threadFile, { workerData: file, execArgv: [] })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<boolean | null>((resolve, reject) => {
      let isWhole: boolean | null = null
      worker.once('message', (answer: boolean) => (isWhole = answer))
      worker.once('error', reject)
      // Only then has it let go of the file.
      worker.once('exit', () => resolve(isWhole))
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
