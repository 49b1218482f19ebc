/** The names of a workspace's keys in the key store. */
export const workspaceKeyName = (workspaceId: string): string => `workspace-key:${workspaceId}`
export const apiKeyName = (workspaceId: string): string => `api-key:${workspaceId}`
