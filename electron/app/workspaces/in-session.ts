import type { AppError } from '../../bridge/app-error.ts'
import type { Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { AppContext } from '../app-context.ts'
import { requireCipher } from './require-cipher.ts'
import type { WorkspaceSession } from './workspace-session.ts'

type Outcome<T> = Result<T, AppError> | Promise<Result<T, AppError>>

/** Runs `work` in the session of a workspace, or returns why the workspace can't be opened. */
export async function inSession<T>(
  { workspaces }: Pick<AppContext, 'workspaces'>,
  workspaceId: string,
  work: (session: WorkspaceSession) => Outcome<T>,
): Promise<Result<T, AppError>> {
  const session = await workspaces.session(workspaceId)
  return session.ok ? work(session.value) : session
}

/**
 * Like `inSession`, for work that reads values. Additional errors: `keys-locked`, `workspace-key-missing`, also if the keys are locked while
 * it runs: what it has read must not leave the application then.
 */
export const inUnlocked = <T>(
  context: Pick<AppContext, 'workspaces'>,
  workspaceId: string,
  work: (session: WorkspaceSession, cipher: WorkspaceCipher) => Outcome<T>,
): Promise<Result<T, AppError>> =>
  inSession(context, workspaceId, async (session) => {
    const cipher = requireCipher(session)
    if (!cipher.ok) return cipher
    const done = await work(session, cipher.value)
    const still = requireCipher(session)
    return still.ok ? done : still
  })
