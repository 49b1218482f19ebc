/** The actor of commands in the audit list. */
export const commandActor = { email: 'command line', keyName: '' } as const

/** Recorded in place of a request's id. */
export const commandRequestId = 'command'
