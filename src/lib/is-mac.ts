/** Whether this is a Mac, whose keys have other names. */
export const isMac = navigator.userAgent.includes('Mac')
