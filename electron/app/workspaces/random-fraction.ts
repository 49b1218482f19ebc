/** A number in [0, 1) from random bytes, uniform to 2^-48. */
export const randomFraction = (randomBytes: (length: number) => Uint8Array): number =>
  randomBytes(6).reduce((fraction, byte) => (fraction + byte) / 256, 0)
