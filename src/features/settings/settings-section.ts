/** name: the name of the workspace, in general. */
export type SettingsSection = 'general' | 'name' | 'keys' | 'data' | 'remove'
