import type { Failure } from '../port.ts'

/** Returns what happened and what sync does about it, for something that sync tries again. */
export const failureWords = ({ message, next }: Failure): string => (next === undefined ? message : `${message} ${next}`)
