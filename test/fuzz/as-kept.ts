/**
 * How the mirror marks what the model reads there, said once more: what judges the application takes nothing from its modules.
 */

/** Whether a stored value is Unverified. */
export const isUnverified = (stored: string): boolean => stored.startsWith('u1:')

/** Whether an unsent entry waits for its user. */
export const isParked = ({ state }: { state: string }): boolean => ['blocked', 'conflict', 'failed'].includes(state)
