import { z } from 'zod'

/**
 * How the mirror keeps a value, as one text that only this folder looks into:
 * `v1:…` sealed here, or an unbound value of a service that other clients write to;
 * `v1:….<binding>` bound: the wire's bytes, then the associated data they open with (base64url);
 * `u1:{…}` Unverified: no key opens it but by `readUnverified`, so that it goes nowhere by mistake.
 */

/**
 * Why a value is Unverified. plain: the service shows it in plain. unbound: sealed with the key, but to no variable. kind: sealed as
 * another type or secrecy. superseded: another value had taken its place here. elsewhere: another variable's, another key's, or damaged.
 */
export type Doubt = 'plain' | 'unbound' | 'kind' | 'superseded' | 'elsewhere'

/** A verified value, with the facts that were authenticated with it. */
export interface LastVerified {
  /** The environment and the name for which it was verified. */
  environmentId: string
  name: string
  sealed: string
  tag: string | null
  type: 'string' | 'number' | 'boolean'
  isSecret: boolean
}

export interface Unverified {
  doubt: Doubt
  /** The value in the form it would have if it were verified. */
  value: string
  /** The variable's last verified value; null if none is known. */
  last: LastVerified | null
}

const mark = 'u1:'

const schema = z.object({
  doubt: z.enum(['plain', 'unbound', 'kind', 'superseded', 'elsewhere']),
  value: z.string(),
  last: z
    .object({
      environmentId: z.string(),
      name: z.string(),
      sealed: z.string(),
      tag: z.string().nullable(),
      type: z.enum(['string', 'number', 'boolean']),
      isSecret: z.boolean(),
    })
    .nullable(),
})

export const isUnverified = (stored: string): boolean => stored.startsWith(mark)

export const unverifiedText = (unverified: Unverified): string => mark + JSON.stringify(unverified)

/** Reads an Unverified value; null for any other text. If the text is damaged, nothing in it can be read. */
export function readUnverified(stored: string): Unverified | null {
  if (!isUnverified(stored)) return null
  try {
    return schema.parse(JSON.parse(stored.slice(mark.length)))
  } catch {
    return { doubt: 'elsewhere', value: '', last: null }
  }
}

export const boundText = (sealed: string, binding: Buffer): string => `${sealed}.${binding.toString('base64url')}`

/**
 * Returns the text that a kept value has on the wire, and the binding that it opens with (null: it is not bound). An Unverified value is
 * returned as it came.
 */
export function partsOfStored(stored: string): { sealed: string; binding: Buffer | null } {
  const unverified = readUnverified(stored)
  if (unverified !== null) return partsOfStored(unverified.value)
  const end = stored.indexOf('.')
  if (end === -1) return { sealed: stored, binding: null }
  return { sealed: stored.slice(0, end), binding: Buffer.from(stored.slice(end + 1), 'base64url') }
}

/** Returns whether a kept value was verified to belong to its variable. */
export const isBound = (stored: string): boolean => !isUnverified(stored) && stored.includes('.')

/** Returns the iv of a sealed value as text: twelve bytes are sixteen characters of base64. */
export const nonceOf = (sealed: string): string => sealed.slice(3, 19)
