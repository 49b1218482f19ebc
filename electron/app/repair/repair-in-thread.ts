import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import { runRepair, type RepairOutcome, type RepairTask } from './run-repair.ts'

type Outcome = Result<RepairOutcome, AppError>

/** The thread's file: beside this one in the source, beside or above it in a build. */
const workerFile = ['./repair-worker.ts', './repair-worker.cjs', '../repair-worker.cjs']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** `runRepair` in a thread, so that windows and other workspaces go on meanwhile. Rejects with what it throws. */
export function repairInThread(task: RepairTask): Promise<Outcome> {
  if (workerFile === undefined) return Promise.resolve(runRepair(task))
  const file = workerFile
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: task, execArgv: [] })
    worker.once('message', (outcome: Outcome) => resolve(outcome))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that reads a damaged database ended without an answer.')))
  })
}
