/** What has the keyboard besides the list of a screen: its keys are shown at the foot in place of those of the list. */
export const footFocus = $state<{ on: 'project' | 'environment' | 'filter' | 'new' | 'invite' | null }>({ on: null })
