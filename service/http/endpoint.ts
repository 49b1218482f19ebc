import type { z } from 'zod'
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

interface Input<P, Q, B> {
  params: P
  query: Q
  body: B
  ifMatch: IfMatch
  principal: Principal
}

interface EndpointBase<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  /** Number in the endpoint table of the specification; unset on extensions. */
  operation?: number
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path with parameters in braces, as the specification writes them. */
  path: string
  summary: string
  may: Permission
  params: P
  query: Q
  body: B
  status: 200 | 201
  message: string
  data: z.ZodType
  /** True where roles or members may change: cached keys are then read again. */
  changesMembers?: true
  /** False where If-Match names no one record: it is refused instead of ignored. */
  takesIfMatch?: boolean
}

export type ReadEndpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = EndpointBase<P, Q, B> & {
  kind: 'read'
  handle: (db: Db, input: Input<z.output<P>, z.output<Q>, z.output<B>>) => Soon<Answer>
}

export type WriteEndpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = EndpointBase<P, Q, B> & {
  kind: 'write'
  /**
   * Names everything that the request reads and writes; null: unknown. Requests without a name in common run at the same time.
   * Default: null.
   */
  touches?: (input: Pick<Input<z.output<P>, z.output<Q>, z.output<B>>, 'params' | 'query' | 'body'>) => readonly string[] | null
  handle: (write: Write, input: Input<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Answer>
}

/** An endpoint with its own types erased, for the list of all endpoints. */
export type Endpoint = ReadEndpoint<z.ZodType, z.ZodType, z.ZodType> | WriteEndpoint<z.ZodType, z.ZodType, z.ZodType>

/** Declares an endpoint that only reads. */
export const reading = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  endpoint: Omit<ReadEndpoint<P, Q, B>, 'kind'>,
): Endpoint =>
  // The arguments of `handle` were parsed with these schemas.
  ({ ...endpoint, kind: 'read' }) as unknown as Endpoint

/** Declares an endpoint that writes, in one transaction. */
export const writing = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  endpoint: Omit<WriteEndpoint<P, Q, B>, 'kind'>,
): Endpoint => ({ ...endpoint, kind: 'write' }) as unknown as Endpoint
