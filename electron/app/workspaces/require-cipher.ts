import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { WorkspaceSession } from './workspace-session.ts'

/** Returns the cipher of a session, or why it has none now: `keys-locked`, `workspace-key-missing`. */
export const requireCipher = (session: WorkspaceSession): Result<WorkspaceCipher, AppError> => {
  if (session.cipher !== null) return ok(session.cipher)
  return err(
    session.cipherProblem ?? {
      kind: 'workspace-key-missing',
      message: 'This workspace’s key isn’t on this computer. Enter it to read values.',
    },
  )
}
