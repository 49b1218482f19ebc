/** A value that may be there already. */
export type Soon<T> = T | Promise<T>

/**
 * Goes on with a value: at once when it is there, else when it comes. Where most values are there, waiting for each would cost more
 * than making it. What `goOn` throws at once is thrown at once.
 */
export const andThen = <T, R>(value: Soon<T>, goOn: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)
