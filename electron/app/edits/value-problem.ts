import { valueLimit } from '../../../service/protocol/limits.ts'

/** Says in one sentence why a value can't be sealed, or returns null. */
export const valueProblem = (value: string): string | null =>
  Buffer.byteLength(value) > valueLimit
    ? `A value can have at most ${valueLimit / 1024} KiB. Store the file elsewhere, and its address here.`
    : null
