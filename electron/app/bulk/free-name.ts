import { nameLimit } from '../../../service/protocol/limits.ts'

/** A name for a copy: NAME_COPY, NAME_COPY_2, ... until `isTaken` says no; cut where it would be too long. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '_COPY' : `_COPY_${n}`
    const characters = [...name]
    const free = `${characters.slice(0, nameLimit - suffix.length).join('')}${suffix}`
    if (!isTaken(free)) return free
  }
}
