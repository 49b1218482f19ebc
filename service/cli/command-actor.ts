/** Who the audit list names for what was done on the command line. */
export const commandActor = { email: 'command line', keyName: '' } as const

/** Recorded in place of a request's id. */
export const commandRequestId = 'command'
