import type { AppError } from '../../bridge/app-error.ts'
import { keyId } from '../../cipher/key-id.ts'
import { wipeKey } from '../../cipher/key-object.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { parseWorkspaceKey } from '../../cipher/workspace-key.ts'
import type { Found } from './session-keys.ts'
import { workspaceErrors } from './workspace-errors.ts'

/** The cipher of a session, while its workspace key is known. */
export interface SessionCipher {
  readonly cipher: WorkspaceCipher | null
  /** Why `cipher` is null; null: it is not. */
  readonly problem: AppError | null
  /** Sets the workspace key. The same key again keeps the cipher. */
  take(found: Found<string>): void
  /** Closes the cipher. `why`: the new `problem`. */
  close(why: AppError): void
}

/** Longer than sync takes to stop, and than one call takes. `scrubMemory` runs later. */
export const wipeAfterMs = 3000

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
      const key = parseWorkspaceKey(found.value)
      if (!key.ok) return drop(workspaceErrors.keyMissing)
      if (cipher?.keyId === keyId(key.value)) wipeKey(key.value)
      else {
        drop(workspaceErrors.keyMissing)
        cipher = createWorkspaceCipher(key.value)
      }
      problem = null
    },
    close: drop,
  }
}
