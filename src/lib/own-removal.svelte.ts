/** The workspace that this window is removing, or has removed; null: none. */
export const ownRemoval = $state<{ workspaceId: string | null }>({ workspaceId: null })
