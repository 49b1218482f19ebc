import { setTimeout as sleep } from 'node:timers/promises'
import type { SocketBridge } from '../../src/lib/socket-bridge.ts'
import { openTab, startHost } from '../soak/children.ts'
import { valueOf } from '../support/value-of.ts'
import type { SmallDisk } from './small-disk.ts'

const passphrase = 'passphrase of a vault on a small disk'
/** Longer is a hang. */
const openLimitMs = 60_000

/** A browser host with a vault and a tab, which is killed and started again. */
export interface KillableHost {
  /** That of the host that runs now. */
  bridge(): SocketBridge
  /** Opens the vault after a start or a lock, and waits until the workspace can be read. */
  unlock(workspaceId: string): Promise<void>
  /** Ends the host and starts the next one. What a full disk keeps from starting or opening is tried again on an empty one. */
  restart(how: 'SIGKILL' | 'SIGTERM', workspaceId: string): Promise<void>
  stop(): Promise<void>
}

export async function createKillableHost(folder: string, disk: SmallDisk): Promise<KillableHost> {
  let host = await startHost(folder)
  let bridge = await openTab(host.said.url)
  await valueOf(bridge.command('keys.choose', { store: 'vault', passphrase }))

  const open = async (workspaceId: string): Promise<string | null> => {
    const status = await valueOf(bridge.query('app.status', {}))
    const unlocked = status.keys.state === 'locked' ? await bridge.command('keys.unlock', { passphrase }) : null
    if (unlocked?.ok === false) return unlocked.error.message
    const read = await bridge.query('projects.list', { workspaceId })
    return read.ok ? null : read.error.message
  }
  const unlock = async (workspaceId: string): Promise<void> => {
    const begin = Date.now()
    for (let problem = await open(workspaceId); problem !== null; problem = await open(workspaceId)) {
      if (Date.now() - begin > openLimitMs) throw new Error(`The workspace does not open: ${problem}\n${host.output().slice(-2000)}`)
      if (problem.startsWith('The disk is full')) disk.empty()
      await sleep(50)
    }
  }
  return {
    bridge: () => bridge,
    unlock,
    async restart(how, workspaceId) {
      bridge.close()
      await host.stop(how)
      host = await startHost(folder).catch(() => {
        disk.empty()
        return startHost(folder)
      })
      bridge = await openTab(host.said.url)
      await unlock(workspaceId)
    },
    async stop() {
      bridge.close()
      await host.stop()
    },
  }
}
