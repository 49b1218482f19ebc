import { Worker } from 'node:worker_threads'
import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import { workerFile } from '../worker-file.ts'
import { runRepair, type RepairOutcome, type RepairTask } from './run-repair.ts'

type Outcome = Result<RepairOutcome, AppError>

const threadFile = workerFile(import.meta.url, 'repair-worker')

/** `runRepair` in a thread, so that windows and other workspaces go on meanwhile. Rejects with what it throws. */
export function repairInThread(task: RepairTask): Promise<Outcome> {
  if (threadFile === null) return Promise.resolve(runRepair(task))
  const file = threadFile
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: task, execArgv: [] })
    worker.once('message', (outcome: Outcome) => resolve(outcome))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that reads a damaged database ended without an answer.')))
  })
}
