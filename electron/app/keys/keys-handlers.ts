import type { AppContext } from '../app-context.ts'
import { ok } from '../../bridge/result.ts'
import type { Handlers } from '../handlers.ts'

type KeysHandlers = Pick<Handlers, 'keys.choose' | 'keys.unlock' | 'keys.lock' | 'keys.recovery'>

export const keysHandlers = ({ keys, workspaces }: AppContext): KeysHandlers => ({
  'keys.choose': ({ store, passphrase }) => keys.choose(store, passphrase),
  'keys.unlock': ({ passphrase }) => keys.unlock(passphrase),
  'keys.lock': async () => {
    await keys.lock()
    return ok(null)
  },
  'keys.recovery': ({ workspaceId }) => workspaces.recoveryKey(workspaceId),
})
