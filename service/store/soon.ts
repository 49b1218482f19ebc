/** A value, or the promise of one. */
export type Soon<T> = T | Promise<T>

/**
 * Calls `goOn` with a value: synchronously when the value is known, else when its promise resolves. Awaiting values that are mostly known
 * costs more than computing them. Errors of a synchronous `goOn` are thrown synchronously.
 */
export const andThen = <T, R>(value: Soon<T>, goOn: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)
