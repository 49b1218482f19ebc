import { encryptValue } from '../../electron/cipher/value-cipher.ts'
import { errorBodies, unknownRoutes, type ErrorBody, type StrictOptions, type UnknownRoute } from './strict-service.ts'

export interface StrictRow {
  unknownRoute: UnknownRoute
  errorBody: ErrorBody
  stored: 'sealed' | 'plain'
}

/** Every way to answer an unknown route, with every body of an error and each way to store values at least three times. */
export const strictRows: readonly StrictRow[] = unknownRoutes.flatMap((unknownRoute, index) =>
  errorBodies.map((errorBody, other): StrictRow => ({ unknownRoute, errorBody, stored: (index + other) % 2 === 0 ? 'sealed' : 'plain' })),
)

/** The same with one row for each way to answer an unknown route, for tests that take long. */
export const shortStrictRows: readonly StrictRow[] = strictRows.filter((_, index) => index % 4 === 0 || index % 4 === 3).slice(0, 12)

/** The options of a row; `key`: the workspace key that other clients seal with. */
export const strictOptions = ({ unknownRoute, errorBody, stored }: StrictRow, key: Uint8Array): StrictOptions => ({
  unknownRoute,
  errorBody,
  store: (plain) => (stored === 'sealed' ? encryptValue(key, plain) : plain),
})
