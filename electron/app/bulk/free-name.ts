import { nameLimit } from '../../../service/protocol/limits.ts'

/** Returns a free name for a copy: the first of NAME_COPY, NAME_COPY_2, ... that is not taken. Shortens a name that would be too long. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '_COPY' : `_COPY_${n}`
    const characters = [...name]
    const free = `${characters.slice(0, nameLimit - suffix.length).join('')}${suffix}`
    if (!isTaken(free)) return free
  }
}
