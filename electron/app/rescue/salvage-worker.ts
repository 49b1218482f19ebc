import { parentPort, workerData } from 'node:worker_threads'
import { runSalvage, type SalvageTask } from './run-salvage.ts'

/** A thread that looks into one damaged database, or repairs it, and ends: see `salvageAside`. */
parentPort?.postMessage(runSalvage(workerData as SalvageTask))
