import { setTimeout as rest } from 'node:timers/promises'
import { isMirrorWhole } from '../../mirror/is-mirror-whole.ts'
import { askThread } from '../ask-thread.ts'
import { workerFile } from '../worker-file.ts'

/** The first page goes first: a thread takes memory and a processor. */
const firstPageMs = 250

const threadFile = workerFile(import.meta.url, 'check-worker')

/** `isMirrorWhole` in a thread, once the first page had its time; null: `signal` came first. Rejects when it could not be found out. */
export async function checkInThread(file: string, signal: AbortSignal): Promise<boolean | null> {
  await rest(firstPageMs, null, { signal, ref: false }).catch(() => null)
  if (signal.aborted) return null
  return threadFile === null ? isMirrorWhole(file) : askThread<boolean>(threadFile, file, { signal })
}
