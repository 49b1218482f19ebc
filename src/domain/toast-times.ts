/** How long a toast stays, in milliseconds. One that tells of a failure stays longer: it must be read. */
export const toastTimes = { plain: 4000, good: 4000, bad: 9000 } as const
