export type SettingsSection = 'general' | 'keys' | 'data' | 'remove'
