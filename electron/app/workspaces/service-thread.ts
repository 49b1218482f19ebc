import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { FromThread, ThreadData } from '../../../service/protocol/thread.ts'

/** The thread's file: beside or above this one in a build, else in the source. */
const serviceFile = ['./service.cjs', '../service.cjs', '../../../service/worker.ts']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** Starts a thread of the service; null: its file is not there. */
export const startServiceThread = (
  data: ThreadData,
  onMessage: (message: FromThread) => void,
  entry: URL | undefined = serviceFile,
): Worker | null => {
  if (entry === undefined) return null
  const worker = new Worker(entry, { workerData: data, execArgv: [] })
  worker.on('message', onMessage)
  return worker
}
