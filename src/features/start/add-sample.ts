import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { toasts } from '../../lib/toasts.svelte.ts'

/** Adds a sample project to a workspace and returns its first environment; null when it was refused, with a toast that says why. */
export const addSample = async (bridge: Bridge, workspaceId: string): Promise<string | null> => {
  const result = await bridge.command('projects.add-sample', { workspaceId })
  if (result.ok) return result.value.environmentId
  toasts.say(result.error.message, 'bad')
  return null
}
