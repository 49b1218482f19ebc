import { Worker, type ResourceLimits } from 'node:worker_threads'

/**
 * Runs `file` with `workerData` in a thread, and returns its one answer after it has ended and closed its files. Null: `signal` ended it
 * first. Rejects with an error that the thread throws, or if it ends without an answer.
 */
export async function askThread<T>(
  file: URL,
  workerData: unknown,
  { signal, resourceLimits = {} }: { signal?: AbortSignal; resourceLimits?: ResourceLimits } = {},
): Promise<T | null> {
  const worker = new Worker(file, { workerData, execArgv: [], resourceLimits })
  const stop = (): void => void worker.terminate()
  signal?.addEventListener('abort', stop)
  try {
    return await new Promise<T | null>((resolve, reject) => {
      const answers: T[] = []
      worker.once('message', (answer: T) => answers.push(answer))
      worker.once('error', reject)
      worker.once('exit', () => {
        const [answer = null] = answers
        if (answer === null && signal?.aborted !== true) reject(new Error('A thread ended without an answer.'))
        else resolve(answer)
      })
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
