import { setTimeout as rest } from 'node:timers/promises'
import { isMirrorWhole } from '../../mirror/is-mirror-whole.ts'
import { askThread } from '../ask-thread.ts'
import { workerFile } from '../worker-file.ts'

/** A thread takes memory and a processor, which the first page needs. */
const firstPageMs = 250

const threadFile = workerFile(import.meta.url, 'check-worker')

/**
 * Runs `isMirrorWhole` in a thread after the first page has had its time; null: `signal` aborted first. Rejects when the check fails to
 * run.
 */
export async function checkInThread(file: string, signal: AbortSignal): Promise<boolean | null> {
  await rest(firstPageMs, null, { signal, ref: false }).catch(() => null)
  if (signal.aborted) return null
  return threadFile === null ? isMirrorWhole(file) : askThread<boolean>(threadFile, file, { signal })
}
