/**
 * What the window shows of a workspace. Every screen keeps the environment that was open last, to come back to; null: none was, and the first of the
 * sidebar stands in for it.
 */
export type Route = { environmentId: string | null } & (
  | { screen: 'variables' }
  /** `versionId`: the version to pick in the list; null: the first. */
  | { screen: 'versions'; versionId: string | null }
  | { screen: 'compare'; projectId: string }
  | { screen: 'members' }
)
