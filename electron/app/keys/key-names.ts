/** The names of a workspace's keys in the key store. */
export const workspaceKeyName = (workspaceId: string): string => `workspace-key:${workspaceId}`
export const apiKeyName = (workspaceId: string): string => `api-key:${workspaceId}`

/** Returns the id of the workspace that a key is of; null: the entry is no key of a workspace. */
export const keyedWorkspace = (name: string): string | null => /^(?:workspace|api)-key:(.+)$/.exec(name)?.[1] ?? null
