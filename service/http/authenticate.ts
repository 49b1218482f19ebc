import type { FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { noteKeyUse } from '../store/keys.ts'
import type { KeyRing, Principal } from '../store/keys.ts'
import { Refusal } from '../store/refusal.ts'
import { andThen } from '../store/soon.ts'
import type { Soon } from '../store/soon.ts'
import type { Store } from '../store/store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

/** Whose request this is. Only for what runs after `authenticateRequest`. */
export const principalOf = ({ principal }: FastifyRequest): Principal => {
  if (principal === null) throw new Error('a route ran without a principal')
  return principal
}

const reasons = {
  unknown: 'Unknown API key.',
  expired: 'The API key has expired. Ask for a new one.',
  revoked: 'The API key was revoked. Ask for a new one.',
} as const

const bearer = /^Bearer +(\S+) *$/i

/** Finds out whose request this is. Throws a 401 Refusal, at once where nothing has to be read. */
export const authenticateRequest = (store: Store, ring: KeyRing, request: FastifyRequest, now: () => number): Soon<Principal> => {
  const { authorization } = request.headers
  if (authorization === undefined) throw new Refusal(errorCodes.unauthorized, 'Send an API key: Authorization: Bearer <key>.')
  const key = bearer.exec(authorization)?.[1]
  if (key === undefined) throw new Refusal(errorCodes.unauthorized, 'The Authorization header must be: Bearer <key>.')
  const at = now()
  return andThen(ring.recall(key, at) ?? ring.authenticate(key, at), (found) => {
    if (typeof found === 'string') throw new Refusal(errorCodes.unauthorized, reasons[found])
    if (found.noteUse) {
      // A read doesn't wait for a storage that takes no writes now.
      noteKeyUse(store, found.principal.keyId, new Date(at).toISOString()).catch((error: unknown) =>
        request.log.error({ reqId: request.id, err: error }, 'the use of a key could not be noted'),
      )
    }
    return found.principal
  })
}
