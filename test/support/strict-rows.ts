import { encryptValue } from '../../electron/cipher/value-cipher.ts'
import { errorBodies, unknownRoutes, type ErrorBody, type StrictOptions, type UnknownRoute } from './strict-service.ts'

export interface StrictRow {
  unknownRoute: UnknownRoute
  errorBody: ErrorBody
  stored: 'sealed' | 'plain'
}

/** Every way to answer an unknown route, each with the bodies of errors and ways to store values in turn. */
export const strictRows: readonly StrictRow[] = unknownRoutes.map((unknownRoute, index) => ({
  unknownRoute,
  errorBody: errorBodies[index % errorBodies.length] ?? 'empty',
  stored: index % 2 === 0 ? 'sealed' : 'plain',
}))

/** Every way to answer an unknown route with every body of an error. */
export const everyStrictRow: readonly StrictRow[] = strictRows.flatMap((row) => errorBodies.map((errorBody) => ({ ...row, errorBody })))

/** The options of a row; `key`: the workspace key that other clients seal with. */
export const strictOptions = ({ unknownRoute, errorBody, stored }: StrictRow, key: Uint8Array): StrictOptions => ({
  unknownRoute,
  errorBody,
  store: (plain) => (stored === 'sealed' ? encryptValue(key, plain) : plain),
})
