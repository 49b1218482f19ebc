import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import { runSalvage, type Salvaged, type SalvageTask } from './run-salvage.ts'

type Outcome = Result<Salvaged, AppError>

/** The thread's file: beside this one in the source, beside or above it in a build. */
const workerFile = ['./salvage-worker.ts', './salvage-worker.js', '../salvage-worker.js']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** `runSalvage` in a thread, so that windows and other workspaces go on meanwhile. Rejects with what it throws. */
export function salvageAside(task: SalvageTask): Promise<Outcome> {
  if (workerFile === undefined) return Promise.resolve(runSalvage(task))
  const file = workerFile
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: task, execArgv: [] })
    worker.once('message', (outcome: Outcome) => resolve(outcome))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that reads a damaged database ended without an answer.')))
  })
}
