import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { counted } from '../../domain/counted.ts'
import { toasts } from '../../lib/toasts.svelte.ts'
import { undoAction } from '../../lib/undo.ts'

/** Copies one value to other environments and says so, with the way back. */
export async function copyAcross(
  bridge: Bridge,
  workspaceId: string,
  of: { fromId: string; name: string; to: readonly { id: string; name: string; seen: number }[] },
): Promise<void> {
  const [first] = of.to
  if (first === undefined) return
  const to = of.to.map(({ id, seen }) => ({ environmentId: id, seen }))
  const result = await bridge.command('compare.copy', { workspaceId, fromId: of.fromId, to })
  if (!result.ok) return toasts.say(result.error.message, 'bad')
  const where = of.to.length === 1 ? first.name : counted(of.to.length, 'environment')
  toasts.say(`Copied ${of.name} to ${where}`, 'plain', await undoAction(bridge, workspaceId))
}
