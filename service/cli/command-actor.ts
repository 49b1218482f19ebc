/** Who the audit list names for what was done on the command line. */
export const commandActor = { email: 'command line', keyName: '' } as const

/** Stands where a request's id would. */
export const commandRequestId = 'command'
