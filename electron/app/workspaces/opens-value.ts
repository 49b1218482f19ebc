import { decryptValue } from '../../cipher/value-cipher.ts'

/** Whether a workspace key opens a sealed value. */
export const opensValue = (key: Uint8Array, sealed: string): boolean => {
  try {
    decryptValue(key, sealed)
    return true
  } catch {
    return false
  }
}
