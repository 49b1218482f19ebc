import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { toasts } from '../../lib/toasts.svelte.ts'

/** Puts a sample project into a workspace and gives its first environment; null, and a word why, when that was refused. */
export const addSample = async (bridge: Bridge, workspaceId: string): Promise<string | null> => {
  const result = await bridge.command('projects.add-sample', { workspaceId })
  if (result.ok) return result.value.environmentId
  toasts.say(result.error.message, 'bad')
  return null
}
