import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from './refusal.ts'

/** The value of If-Match: null without the header, '*', or a list of ETags. */
export type IfMatch = null | '*' | readonly string[]

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** Reads an If-Match header (RFC 9110, 13.1.1). Throws a 400 Refusal when it is not one. */
export const parseIfMatch = (header: string | undefined): IfMatch => {
  if (header === undefined) return null
  const text = header.trim()
  if (text === '*') return '*'
  const tags = text.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => entityTag.test(tag))) {
    throw new Refusal(errorCodes.badRequest, 'If-Match must be "*" or ETags as the service gave them, quotes included.')
  }
  return tags
}

/**
 * The ETag of the record last written by commit `seq`: no two records or revisions share one. It is made in one piece: V8 keeps a text that
 * was joined as its parts, and writes JSON with such a text anywhere in it at half the speed.
 */
export const etagOf = (seq: number): string => JSON.stringify(String(seq))

/** Throws a 412 Refusal when the record at `seq` is not one that `ifMatch` names. Weak tags never match. */
export const requireMatch = (ifMatch: IfMatch, seq: number): void => {
  if (ifMatch === null || ifMatch === '*' || ifMatch.includes(etagOf(seq))) return
  throw new Refusal(errorCodes.stale, 'The record was changed since you read it. Read it again before writing.')
}
