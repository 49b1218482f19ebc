import type { AppError } from '../../bridge/app-error.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import { keysOfEntry } from '../keys/workspace-key-entry.ts'
import type { Found } from './session-keys.ts'
import { workspaceErrors } from './workspace-errors.ts'

/** The cipher of a session, while its workspace key is known. */
export interface SessionCipher {
  readonly cipher: WorkspaceCipher | null
  /** Why `cipher` is null; null: it is not. */
  readonly problem: AppError | null
  /** Sets the workspace key, from its entry in the key store. The same key again keeps the cipher. */
  take(found: Found<string>): void
  /** Closes the cipher. `why`: the new `problem`. */
  close(why: AppError): void
}

/** Longer than sync takes to stop, and than one call takes. `scrubMemory` runs later. */
export const wipeAfterMs = 3000

/** Returns the cipher of an entry of the key store; null: it has no workspace key. */
export function cipherOfEntry(entry: string): WorkspaceCipher | null {
  const [key, ...former] = keysOfEntry(entry).map(parseWorkspaceKey)
  if (key?.ok !== true) return null
  return createWorkspaceCipher(
    key.value,
    former.flatMap((each) => (each.ok ? [each.value] : [])),
  )
}

export function createSessionCipher(atFirst: AppError): SessionCipher {
  let cipher: WorkspaceCipher | null = null
  let problem: AppError | null = atFirst

  /** Drops the cipher. Calls that still use it get time to end before its key is wiped. */
  const drop = (why: AppError): void => {
    const before = cipher
    cipher = null
    problem = why
    if (before !== null) setTimeout(() => before.wipe(), wipeAfterMs).unref()
  }

  return {
    get cipher() {
      return cipher
    },
    get problem() {
      return problem
    },
    take(found) {
      if ('problem' in found) return drop(found.problem)
      const next = cipherOfEntry(found.value)
      if (next === null) return drop(workspaceErrors.keyMissing)
      if (cipher?.keyId === next.keyId) next.wipe()
      else {
        drop(workspaceErrors.keyMissing)
        cipher = next
      }
      problem = null
    },
    close: drop,
  }
}
