/** What has the keyboard in the sidebar: its keys are shown at the foot of the screen in place of those of the table. */
export const sidebarFocus = $state<{ on: 'project' | 'environment' | null }>({ on: null })
