import type { Bridge } from '../../electron/bridge/bridge.ts'
import { toasts } from './toasts.svelte.ts'

/** Takes the last edit in a workspace back, or brings it again, and says what that was. */
export const undo = async (bridge: Bridge, workspaceId: string, direction: 'undo' | 'redo'): Promise<void> => {
  const result = await bridge.command(direction === 'undo' ? 'undo.undo' : 'undo.redo', { workspaceId })
  if (!result.ok) toasts.say(result.error.message, result.error.kind === 'not-found' ? 'plain' : 'bad')
  else if (direction === 'undo')
    toasts.say(`Undone: ${result.value.label}`, 'plain', { name: 'Redo', run: () => void undo(bridge, workspaceId, 'redo') })
  else toasts.say(`Done again: ${result.value.label}`)
}
