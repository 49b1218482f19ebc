import { parentPort, workerData } from 'node:worker_threads'
import { isMirrorWhole } from '../../mirror/is-mirror-whole.ts'

/** A thread that checks one database and ends: see `checkInThread`. */
parentPort?.postMessage(isMirrorWhole(workerData as string))
