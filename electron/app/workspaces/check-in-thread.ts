import { existsSync } from 'node:fs'
import { setTimeout as rest } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { isMirrorWhole } from '../../mirror/is-mirror-whole.ts'

/** The first page goes first: a thread takes memory and a processor. */
const firstPageMs = 250

/** The thread's file: beside this one in the source, beside or above it in a build. */
const workerFile = ['./check-worker.ts', './check-worker.cjs', '../check-worker.cjs']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** `isMirrorWhole` in a thread, once the first page had its time; null: `signal` came first. Rejects when it could not be found out. */
export async function checkInThread(file: string, signal: AbortSignal): Promise<boolean | null> {
  await rest(firstPageMs, null, { signal, ref: false }).catch(() => null)
  if (signal.aborted) return null
  if (workerFile === undefined) return isMirrorWhole(file)
  const worker = new Worker(workerFile, { workerData: file, execArgv: [] })
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
