import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { SyncStatus } from '../../../electron/bridge/rows.ts'
import { counted } from '../../domain/counted.ts'
import { toasts } from '../../lib/toasts.svelte.ts'

type Refusals = SyncStatus['refusals']

/** Whether the user may do something now that the service refused before. */
const isRaised = (before: Refusals, now: Refusals): boolean => Object.keys(before).some((command) => !Object.hasOwn(now, command))

/**
 * Returns a function to be told of each sync status of a workspace. When the user's role allows more than before, it offers in a toast to
 * retry the changes that were rejected.
 */
export const createRetryOffer = (bridge: Bridge, workspaceId: string): ((status: Pick<SyncStatus, 'refusals'>) => void) => {
  let known: Refusals | null = null
  return ({ refusals }) => {
    const before = known
    known = refusals
    if (before !== null && isRaised(before, refusals)) void offer(bridge, workspaceId)
  }
}

async function offer(bridge: Bridge, workspaceId: string): Promise<void> {
  const queue = await bridge.query('queue.list', { workspaceId })
  const rejected = queue.ok ? queue.value.filter(({ state }) => state === 'failed').length : 0
  if (rejected === 0) return
  const retry = async () => toasts.sayFailure(await bridge.command('queue.retry', { workspaceId }))
  toasts.say(`Your role has changed. ${counted(rejected, 'change was', 'changes were')} rejected before.`, 'plain', {
    name: 'Retry',
    run: () => void retry(),
  })
}
