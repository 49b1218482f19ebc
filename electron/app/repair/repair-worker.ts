import { parentPort, workerData } from 'node:worker_threads'
import { runRepair, type RepairTask } from './run-repair.ts'

/** A thread that previews or runs one repair, and ends: see `repairInThread`. */
parentPort?.postMessage(runRepair(workerData as RepairTask))
