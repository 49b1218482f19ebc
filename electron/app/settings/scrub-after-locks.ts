import type { KeysManager } from '../keys/keys-manager.ts'
import { wipeAfterMs } from '../workspaces/session-cipher.ts'
import { scrubMemory } from './scrub-memory.ts'

/** After the keys of the open workspaces were wiped, and once more for what a busy computer still had under way then. */
const scrubsAfterMs = [wipeAfterMs + 500, wipeAfterMs + 3500]

/** Scrubs the memory after each lock of the keys, until the returned function is called. */
export function scrubAfterLocks(keys: Pick<KeysManager, 'status' | 'onChange'>): () => void {
  let scrubs: ReturnType<typeof setTimeout>[] = []
  let wasOpen = false
  const stop = () => scrubs.forEach(clearTimeout)
  const plan = async () => {
    const isOpen = (await keys.status()).state === 'ready'
    stop()
    if (wasOpen && !isOpen) scrubs = scrubsAfterMs.map((ms) => setTimeout(scrubMemory, ms).unref())
    wasOpen ||= isOpen
  }
  keys.onChange(() => void plan())
  // The keys may have been ready before anybody listened.
  void plan()
  return stop
}
