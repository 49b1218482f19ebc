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
