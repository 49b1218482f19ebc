import { parentPort, workerData } from 'node:worker_threads'
import type { ImportFormat } from '../../bridge/rows.ts'
import { readImport } from '../../transfer/read-import.ts'

/** A thread that reads one text and ends: see `readAside`. */
const { text, format } = workerData as { text: string; format: ImportFormat | 'auto' }
void readImport(text, format).then((outcome) => parentPort?.postMessage(outcome))
