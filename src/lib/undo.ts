import type { Bridge } from '../../electron/bridge/bridge.ts'
import { keysOf } from './commands.svelte.ts'
import { toasts, type ToastAction } from './toasts.svelte.ts'

/** Takes the last edit in a workspace back, or brings it again, and says what that was. */
export const undo = async (bridge: Bridge, workspaceId: string, direction: 'undo' | 'redo'): Promise<void> => {
  const result = await bridge.command(direction === 'undo' ? 'undo.undo' : 'undo.redo', { workspaceId })
  if (!result.ok) toasts.say(result.error.message, result.error.kind === 'not-found' ? 'plain' : 'bad')
  else toasts.say(direction === 'undo' ? `Undone: ${result.value.label}` : `Done again: ${result.value.label}`)
}

/**
 * A button that takes back the edit that was just made, and no other: pressed after further edits, it says so instead.
 * Null when that edit cannot be undone.
 */
export const undoAction = async (bridge: Bridge, workspaceId: string): Promise<ToastAction | null> => {
  const status = await bridge.query('undo.status', { workspaceId })
  const label = status.ok ? status.value.undo : null
  if (label === null) return null
  const run = async () => {
    const now = await bridge.query('undo.status', { workspaceId })
    if (now.ok && now.value.undo === label) await undo(bridge, workspaceId, 'undo')
    else toasts.say(`You edited something else since. Undo step by step with ${keysOf('edit.undo')}.`)
  }
  return { name: 'Undo', run: () => void run() }
}
