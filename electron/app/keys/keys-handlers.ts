import type { AppContext } from '../app-context.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { Handlers } from '../handlers.ts'

type KeysHandlers = Pick<Handlers, 'keys.choose' | 'keys.unlock' | 'keys.lock' | 'keys.recovery'>

export const keysHandlers = ({ keys, workspaces }: AppContext): KeysHandlers => {
  /** When the page asks next, values are open, or hidden, everywhere. */
  const takenUp = async (answer: Result<null>): Promise<Result<null>> => {
    if (answer.ok) await workspaces.refreshKeys()
    return answer
  }
  return {
    'keys.choose': async ({ store, passphrase }) => takenUp(await keys.choose(store, passphrase)),
    'keys.unlock': async ({ passphrase }) => takenUp(await keys.unlock(passphrase)),
    'keys.lock': async () => {
      await keys.lock()
      return takenUp(ok(null))
    },
    'keys.recovery': ({ workspaceId }) => workspaces.recoveryKey(workspaceId),
  }
}
