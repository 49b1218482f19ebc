import type { ShownValue } from '../../electron/bridge/rows.ts'

/** Why the value of a variable isn’t copied, and what to do where something can be done. */
export const notCopiedWords = (name: string, state: Exclude<ShownValue['state'], 'shown'>): string =>
  state === 'unverified'
    ? `${name} is Unverified, so it isn’t copied. Accept or restore it first.`
    : `${name} can’t be read with this key, so there’s nothing to copy.`
