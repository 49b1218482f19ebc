import type { Mirror } from './mirror.ts'
import type { Touch } from './touch-log.ts'

interface Kept<T> {
  /** `value` includes all touches before this mark. */
  mark: number
  value: T
}

/**
 * Returns a function that keeps what `read` reads of each mirror, and brings it up to date after later writes. `update` returns the new
 * value; null: read everything again.
 */
export function followTouches<T, Args>(
  read: (mirror: Mirror, args: Args) => Promise<T>,
  update: (mirror: Mirror, before: T, touches: readonly Touch[], args: Args) => Promise<T | null>,
): (mirror: Mirror, args: Args) => Promise<T> {
  const keptOf = new WeakMap<Mirror, Promise<Kept<T>>>()

  const upToDate = async (mirror: Mirror, kept: Kept<T> | null, args: Args): Promise<Kept<T>> => {
    // Mark before reading: a row written in between is then read twice, not missed.
    const mark = mirror.touches.mark()
    const touches = kept === null ? null : mirror.touches.since(kept.mark)
    const value = kept === null || touches === null ? null : await update(mirror, kept.value, touches, args)
    return { mark, value: value ?? (await read(mirror, args)) }
  }

  return async (mirror, args) => {
    // One read at a time, so that a later read never replaces a newer value with an older one.
    const before = keptOf.get(mirror)?.catch(() => null) ?? Promise.resolve(null)
    const now = before.then((kept) => upToDate(mirror, kept, args))
    keptOf.set(mirror, now)
    return (await now).value
  }
}
