import type { Failure } from '../protocol/envelope.ts'
import type { ErrorCode } from '../protocol/error-codes.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import type { Permission, RoleId } from '../protocol/roles.ts'
import { roleMay } from '../protocol/roles.ts'

/**
 * A request that is refused, with the answer to give. It is thrown, not returned: throwing rolls
 * back the transaction, and only Fastify's error handler writes error answers.
 */
export class Refusal extends Error {
  /** Of a 409: the id of the record that holds the name, slug, label or e-mail. */
  readonly holderId: string | undefined
  /** Of a 404: whether the record itself or its parent is missing. */
  readonly missing: 'record' | 'parent' | undefined
  readonly code: ErrorCode
  /** What the answer says besides the message. */
  readonly data: Failure['data'] | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(
    code: ErrorCode,
    message: string,
    more: { data?: Failure['data']; retryAfterSeconds?: number; holderId?: string; missing?: 'record' | 'parent' } = {},
  ) {
    super(message)
    this.code = code
    this.data = more.data
    this.retryAfterSeconds = more.retryAfterSeconds
    this.holderId = more.holderId
    this.missing = more.missing
  }
}

/** 404 with a sentence that names the missing record. */
export const notFound = (message: string, missing: 'record' | 'parent' = 'record'): Refusal =>
  new Refusal(errorCodes.notFound, message, { missing })
/** 401: the workspace of the key was deleted a moment ago. */
export const workspaceDeleted = (): Refusal => new Refusal(errorCodes.unauthorized, 'This workspace was deleted.')
/** 409: the record `holderId` has the name, slug, label or e-mail. */
export const taken = (message: string, holderId: string): Refusal => new Refusal(errorCodes.conflict, message, { holderId })

/** Throws a 403 Refusal when the role lacks the permission. */
export const requireRight = (roleId: RoleId, permission: Permission): void => {
  if (!roleMay(roleId, permission)) throw new Refusal(errorCodes.forbidden, `The role ${roleId} may not do this: it needs ${permission}.`)
}
