import { parentPort, workerData } from 'node:worker_threads'
import { runRepair, type RepairTask } from './run-repair.ts'

/** A thread that looks into one damaged database, or repairs it, and ends: see `repairInThread`. */
parentPort?.postMessage(runRepair(workerData as RepairTask))
