import type { z } from 'zod'
import { noBody, noParams, noQuery } from '../protocol/requests.ts'
import type { Permission } from '../protocol/roles.ts'
import type { AuditEvent } from '../store/audit.ts'
import type { IfMatch } from '../store/if-match.ts'
import type { Principal } from '../store/keys.ts'
import type { Soon } from '../store/soon.ts'
import type { Db } from '../store/store.ts'
import type { Write } from '../store/write.ts'

/** A handler's answer; its endpoint adds the rest of the envelope. */
export interface Answer {
  data: unknown
  /** Only where the endpoint has no fixed message. */
  message?: string
  /** The record's `seq`, for the ETag header. */
  seq?: number
  audit?: AuditEvent | AuditEvent[]
}

interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
  ifMatch: IfMatch
  principal: Principal
}

interface EndpointBase {
  /** Number in the endpoint table of the specification; unset on extensions. */
  operation?: number
  /** Path with parameters in braces, as the specification writes them. */
  path: string
  summary: string
  may: Permission
  data: z.ZodType
  /** False where If-Match names no one record: it is refused instead of ignored. */
  takesIfMatch?: boolean
}

interface Reading<P extends z.ZodType, Q extends z.ZodType> extends EndpointBase {
  /** Default: none. */
  params?: P
  /** Default: none. */
  query?: Q
  handle: (db: Db, input: Omit<Input<P, Q, z.ZodType>, 'body'>) => Soon<Answer>
}

interface Writing<P extends z.ZodType, B extends z.ZodType> extends EndpointBase {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Default: none. */
  params?: P
  /** Default: none. */
  body?: B
  /** Default: 200. */
  status?: 201
  message: string
  /** True where roles or members may change: cached keys are then read again. */
  changesMembers?: true
  /**
   * Names everything that the request reads and writes; null: unknown. Requests without a name in common run at the same time.
   * Default: null.
   */
  touches?: (input: Pick<Input<P, z.ZodType, B>, 'params' | 'body'>) => readonly string[] | null
  handle: (write: Write, input: Omit<Input<P, z.ZodType, B>, 'query'>) => Promise<Answer>
}

/** An endpoint with its own types erased and its defaults filled in, for the list of all endpoints. */
export type Endpoint = { params: z.ZodType; query: z.ZodType; body: z.ZodType; status: 200 | 201; message: string } & (
  | (Omit<Reading<z.ZodType, z.ZodType>, 'params' | 'query'> & { kind: 'read'; method: 'GET' })
  | (Omit<Writing<z.ZodType, z.ZodType>, 'params' | 'body' | 'status' | 'message'> & { kind: 'write' })
)

const defaults = { params: noParams, query: noQuery, body: noBody, status: 200, message: 'OK' } as const

/** Declares an endpoint that only reads. */
export const reading = <P extends z.ZodType = typeof noParams, Q extends z.ZodType = typeof noQuery>(endpoint: Reading<P, Q>): Endpoint =>
  // The arguments of `handle` were parsed with these schemas.
  ({ ...defaults, ...endpoint, kind: 'read', method: 'GET' }) as unknown as Endpoint

/** Declares an endpoint that writes, in one transaction. */
export const writing = <P extends z.ZodType = typeof noParams, B extends z.ZodType = typeof noBody>(endpoint: Writing<P, B>): Endpoint =>
  ({ ...defaults, ...endpoint, kind: 'write' }) as unknown as Endpoint
