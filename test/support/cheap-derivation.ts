import { newDerivation, type Derivation } from '../../electron/keychain/vault-format.ts'

/** The least that a vault's format allows: at its full cost each key takes some tenths of a second. */
export const cheapDerivation = (): Derivation => ({ ...newDerivation(), N: 2 ** 13 })
