import type { QueueRow } from '../../electron/bridge/rows.ts'
import type { Destination } from './journey.svelte.ts'

/** Where in the window an unsent change is seen, and edited; null for a project or environment that is deleted. */
export const destinationOf = (workspaceId: string, change: Pick<QueueRow, 'kind' | 'subject' | 'name' | 'at'>): Destination | null => {
  const { projectId, environmentId, variableId } = change.at
  const isGone = change.kind === 'delete'
  if (isGone && change.subject !== 'variable') return null
  return {
    workspaceId,
    projectId,
    environmentId,
    variable: variableId === null || isGone ? null : { id: variableId, name: change.name },
    ...(change.subject === 'version' && { screen: 'versions' }),
    ...(change.subject === 'member' && { screen: 'members' }),
  }
}
