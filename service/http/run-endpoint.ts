import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { idempotencyKey } from '../protocol/requests.ts'
import { findAnswer, keepAnswer } from '../store/answers.ts'
import { noteAudit, noteRead } from '../store/audit.ts'
import { etagOf, parseIfMatch } from '../store/if-match.ts'
import type { Principal } from '../store/keys.ts'
import { Refusal } from '../store/refusal.ts'
import { andThen } from '../store/soon.ts'
import type { Soon } from '../store/soon.ts'
import { inWorkspace } from '../store/store.ts'
import type { Store } from '../store/store.ts'
import type { Write } from '../store/write.ts'
import { writeIn } from '../store/write.ts'
import type { Answer, Endpoint } from './endpoint.ts'

/** An answer on the wire. `body` is an object to serialize, or the exact text of an earlier answer. */
export interface WireAnswer {
  status: number
  etag: string | null
  body: object | string
}

const readHeaders = (endpoint: Endpoint, request: FastifyRequest) => {
  const ifMatch = parseIfMatch(request.headers['if-match'])
  if (ifMatch !== null && endpoint.takesIfMatch === false) {
    throw new Refusal(
      errorCodes.badRequest,
      'This request doesn’t take If-Match. Leave it out; each item of a batch can have its own ifMatch.',
    )
  }
  const header = request.headers['idempotency-key']
  if (header === undefined || endpoint.method !== 'POST') return { ifMatch, key: null }
  const key = idempotencyKey.safeParse(header)
  if (!key.success) throw new Refusal(errorCodes.badRequest, 'An Idempotency-Key is 1 to 255 printable ASCII characters without spaces.')
  return { ifMatch, key: key.data }
}

const wireAnswer = (endpoint: Endpoint, answer: Answer): WireAnswer => ({
  status: endpoint.status,
  etag: answer.seq === undefined ? null : etagOf(answer.seq),
  body: { success: true, code: endpoint.status, message: answer.message ?? endpoint.message, data: answer.data },
})

// The bytes as they came are compared: the same request sent again is the same bytes.
const hashRequest = (request: FastifyRequest): string =>
  createHash('sha256').update(`${request.method} ${request.url}\n`).update(request.rawBody).digest('hex')

/**
 * Runs one request of an endpoint and gives its answer. A write, its audit entry and the answer kept
 * for its Idempotency-Key are one transaction: a repeat meets all of them or none. Only the answer to a
 * request that wrote something is kept: one that wrote nothing may be done again, and may well succeed later.
 * `admit` makes sure of room for an answer of so many bytes, as `Db.admit` says.
 */
export const runEndpoint = (
  store: Store,
  endpoint: Endpoint,
  request: FastifyRequest,
  principal: Principal,
  clock: () => number,
  admit: (bytes: number) => Soon<void>,
): Soon<WireAnswer> => {
  const { ifMatch, key } = readHeaders(endpoint, request)
  const input = { params: request.params, query: request.query, body: request.body, ifMatch, principal }

  if (endpoint.kind === 'read') {
    const db = inWorkspace(store, principal.workspaceId, admit)
    return andThen(endpoint.handle(db, input), (answer) => {
      const wire = wireAnswer(endpoint, answer)
      if (answer.audit === undefined) return wire
      return noteRead(db, principal, new Date(clock()).toISOString(), request.id, answer.audit).then(() => wire)
    })
  }

  const now = clock()
  const at = new Date(now).toISOString()
  const run = async (write: Write): Promise<WireAnswer> => {
    const answer = await endpoint.handle({ ...write, admit }, input)
    // A request that wrote nothing did nothing.
    if (answer.audit !== undefined && write.hasSeq()) noteAudit(write, principal, request.id, answer.audit)
    return wireAnswer(endpoint, answer)
  }
  // Two requests under one key have its answer in common.
  const touches = key === null ? (endpoint.touches?.(input) ?? null) : null
  return writeIn(store, principal.workspaceId, { at, by: principal.email, touches }, async (write) => {
    if (key === null) return run(write)
    const hash = hashRequest(request)
    const kept = await findAnswer(write, principal.memberId, key, now)
    if (kept !== null) {
      if (kept.request_hash === hash)
        return andThen(admit(kept.body.length), () => ({ status: kept.status, etag: kept.etag, body: kept.body }))
      throw new Refusal(errorCodes.unprocessable, 'This Idempotency-Key was used for another request. Use a new key for a new request.')
    }
    const answer = await run(write)
    if (!write.hasSeq()) return answer
    await keepAnswer(write, {
      member_id: principal.memberId,
      idempotency_key: key,
      request_hash: hash,
      status: answer.status,
      etag: answer.etag,
      body: JSON.stringify(answer.body),
      created_at: at,
    })
    return answer
  })
}
