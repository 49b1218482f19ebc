import type { FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { noteKeyUse } from '../store/keys.ts'
import type { KeyRing, Principal } from '../store/keys.ts'
import { Refusal } from '../store/refusal.ts'
import type { Store } from '../store/store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

const reasons = {
  unknown: 'The API key is not known here. Check the key and the address of the service.',
  expired: 'The API key has expired. Ask for a new one.',
  revoked: 'The API key was revoked. Ask for a new one.',
} as const

const bearer = /^Bearer +(\S+) *$/i

/** Finds out whose request this is. Throws a 401 Refusal. */
export const authenticateRequest = async (store: Store, ring: KeyRing, request: FastifyRequest, now: () => number): Promise<Principal> => {
  const { authorization } = request.headers
  if (authorization === undefined) throw new Refusal(errorCodes.unauthorized, 'Send an API key: Authorization: Bearer <key>.')
  const key = bearer.exec(authorization)?.[1]
  if (key === undefined) throw new Refusal(errorCodes.unauthorized, 'The Authorization header must be: Bearer <key>.')
  const at = now()
  const found = ring.recall(key, at) ?? (await ring.authenticate(key, at))
  if (typeof found === 'string') throw new Refusal(errorCodes.unauthorized, reasons[found])
  if (found.noteUse) await noteKeyUse(store, found.principal.keyId, new Date(at).toISOString())
  return found.principal
}
