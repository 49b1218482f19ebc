import type { AppContext } from '../app-context.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { Handlers } from '../handlers.ts'

type KeysHandlers = Pick<
  Handlers,
  | 'keys.choose'
  | 'keys.unlock'
  | 'keys.lock'
  | 'keys.set-pin'
  | 'keys.system-authentication'
  | 'keys.use-system'
  | 'keys.change-passphrase'
  | 'keys.recovery'
>

export const keysHandlers = ({ keys, workspaces }: AppContext): KeysHandlers => {
  /** Waits until every workspace uses the new state: the page's next query must find values readable, or locked. */
  const takenUp = async (answer: Result<null>): Promise<Result<null>> => {
    if (answer.ok) await workspaces.refreshKeys()
    return answer
  }
  return {
    'keys.choose': async ({ store, passphrase }) => takenUp(await keys.choose(store, passphrase)),
    'keys.unlock': async (given) => takenUp(await keys.unlock(given)),
    'keys.set-pin': async ({ pin, current }) => keys.setPin(pin, current),
    'keys.system-authentication': async () => ok(await keys.systemAuthentication()),
    'keys.use-system': async ({ on }) => keys.useSystem(on),
    'keys.change-passphrase': async ({ current, next }) => keys.changePassphrase(current, next),
    'keys.lock': async () => takenUp(await keys.lock('user')),
    'keys.recovery': ({ workspaceId }) => workspaces.recoveryKey(workspaceId),
  }
}
