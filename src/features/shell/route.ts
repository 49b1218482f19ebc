/**
 * The screen that the window shows of a workspace. Every screen keeps the environment that was last open; null: none was, and the first one
 * of the sidebar is used.
 */
export type Route = { environmentId: string | null } & (
  | { screen: 'variables' }
  /** `versionId`: the version to pick in the list; null: the first. */
  | { screen: 'versions'; versionId: string | null }
  | { screen: 'compare'; projectId: string }
  | { screen: 'members' }
)

/** The route to the screen that was kept when `workspaceId` was last left; to the table of `environmentId` if none was. */
export const routeOf = ([of, screen, projectId]: readonly string[], workspaceId: string, environmentId: string | null): Route => {
  if (of === workspaceId && screen === 'members') return { screen, environmentId }
  if (of === workspaceId && screen === 'versions') return { screen, environmentId, versionId: null }
  if (of === workspaceId && screen === 'compare' && projectId !== undefined) return { screen, environmentId, projectId }
  return { screen: 'variables', environmentId }
}
