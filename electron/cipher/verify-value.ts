import { bindingOf, type ValuePlace } from './bound-value.ts'
import { boundText, isBound, partsOfStored, readUnverified, unverifiedText, type Doubt, type LastVerified } from './stored-value.ts'
import { isSealed } from './value-cipher.ts'
import type { TaggedValue, WorkspaceCipher } from './workspace-cipher.ts'

/**
 * Which values of a service a workspace accepts. open: unbound values too, because other clients write to the workspace. binding: the
 * values of an open workspace are being bound; a variable with a bound value accepts only bound ones. bound: only values that a member
 * sealed to their variable.
 */
export type ValuePolicy = 'open' | 'binding' | 'bound'

type Kind = Pick<ValuePlace, 'type' | 'isSecret'>

/** A value as a service sends it. Type and secrecy are absent if the service does not send them. */
export interface ShownValue extends Pick<ValuePlace, 'environmentId' | 'name'> {
  value: string
  type?: ValuePlace['type'] | undefined
  isSecret?: boolean | undefined
}

/** A value as this computer holds it. */
export interface HeldValue extends Pick<ValuePlace, 'environmentId' | 'name'>, TaggedValue {
  type: Kind['type'] | null
  isSecret: boolean | null
}

/** What this computer remembers of a variable, and of the value that is shown. */
export interface ValueMemory {
  /** The record as this computer knows it, under any name; null: it is unknown. */
  own: HeldValue | null
  /** The variable of this name, if that is another record. */
  namesake: HeldValue | null
  /** Whether the value that the service sends was superseded here by another value. */
  isSuperseded: boolean
  /** Whether the value that the service sends is the last verified value of another record. */
  isAnothers: boolean
}

/** A value to keep. If type and secrecy were authenticated with the value, they are kept too. */
export interface VerifiedValue extends Partial<Kind> {
  value: TaggedValue
}

const types = ['string', 'number', 'boolean'] as const

/** Whether a kept value was verified to belong to this variable while it was no secret. */
export function isBoundAsPlain(stored: string, place: Pick<ValuePlace, 'workspaceId' | 'environmentId' | 'name'>): boolean {
  if (!isBound(stored)) return false
  const { binding } = partsOfStored(stored)
  return types.some((type) => binding !== null && bindingOf({ ...place, type, isSecret: false }).equals(binding))
}

/** Every type and secrecy, the given ones first. */
const kindsFrom = ({ type, isSecret }: Partial<Kind>): Kind[] => {
  const typesFrom = type === undefined ? types : [type, ...types.filter((other) => other !== type)]
  const secrecies = isSecret === undefined ? [true, false] : [isSecret, !isSecret]
  return typesFrom.flatMap((each) => secrecies.map((secrecy) => ({ type: each, isSecret: secrecy })))
}

/**
 * Decides whether a value from a service is verified, accepted without proof (in an open workspace), or Unverified. The only proof is that
 * the value is bound to this variable, type and secrecy. An Unverified value keeps the type and secrecy last verified under its name. If
 * there are none, it is a secret: a service must not be able to unmask a value.
 */
export function verifyValue(
  cipher: WorkspaceCipher,
  workspaceId: string,
  policy: ValuePolicy,
  shown: ShownValue,
  memory: ValueMemory,
): VerifiedValue {
  const { value, environmentId, name, type, isSecret } = shown
  const takesUnbound = policy === 'open' || (policy === 'binding' && lastVerified(memory).length === 0)
  const unbound = takesUnbound ? cipher.taggedFromWire(value) : null
  if (unbound !== null && unbound.tag !== null) return { value: unbound }
  if (unbound === null && !isSealed(value))
    return takesUnbound ? { value: cipher.seal(value) } : doubted(cipher, 'plain', null, shown, memory)
  const told: Partial<Kind> = { ...(type !== undefined && { type }), ...(isSecret !== undefined && { isSecret }) }
  const places = kindsFrom(told).map((kind) => ({ workspaceId, environmentId, name, ...kind }))
  const opened = cipher.openBound(value, places)
  if (opened !== null) {
    const kind: Kind = { type: opened.place.type, isSecret: opened.place.isSecret }
    const kept: TaggedValue = { sealed: boundText(value, opened.binding), tag: cipher.tagOf(opened.text), keyId: cipher.keyId }
    if ((type ?? kind.type) !== kind.type || (isSecret ?? kind.isSecret) !== kind.isSecret)
      return doubted(cipher, 'kind', kept.sealed, shown, memory)
    if (isBorrowed(shown, memory)) return doubted(cipher, 'elsewhere', kept.sealed, shown, memory)
    return isBroughtBack(kept, { ...shown, ...kind }, memory)
      ? doubted(cipher, 'superseded', kept.sealed, shown, memory)
      : { value: kept, ...kind }
  }
  if (memory.own !== null && isHeldUnderFormerKey(cipher, memory.own, shown)) return asHeld(memory.own)
  if (unbound !== null) return { value: unbound }
  return doubted(cipher, cipher.open(value) === null ? 'elsewhere' : 'unbound', value, shown, memory)
}

/**
 * Whether the service sends the very bytes that this computer verified for the variable before its workspace key was replaced. Only those
 * bytes: others may know the former key.
 */
function isHeldUnderFormerKey(cipher: WorkspaceCipher, held: HeldValue, shown: ShownValue): boolean {
  const { keyId, sealed, type, isSecret } = held
  const isSame = keyId !== cipher.keyId && isBound(sealed) && partsOfStored(sealed).sealed === shown.value && isPlaceOf(held, shown)
  return isSame && (shown.type ?? type) === type && (shown.isSecret ?? isSecret) === isSecret && cipher.open(sealed) !== null
}

const asHeld = ({ sealed, tag, keyId, type, isSecret }: HeldValue): VerifiedValue => ({
  value: { sealed, tag, keyId },
  ...(type !== null && { type }),
  ...(isSecret !== null && { isSecret }),
})

/**
 * Returns whether the service sends a value again that another value has superseded. The last verified value may always come back. So may
 * its text, but only with the same type and secrecy: otherwise a secret would be shown as it was before it became one.
 */
function isBroughtBack({ sealed, tag }: TaggedValue, place: Kind & ShownValue, memory: ValueMemory): boolean {
  if (!memory.isSuperseded) return false
  const fields = ['environmentId', 'name', 'type', 'isSecret'] as const
  const isHeld = (last: LastVerified) =>
    last.sealed === sealed || (last.tag === tag && fields.every((field) => last[field] === place[field]))
  return !lastVerified(memory).some(isHeld)
}

/**
 * Returns whether the service sends a record, which was verified in another place, with the exact bytes of the record that belongs in this
 * place. Members seal a variable anew when they rename or move it, so only a service does this. If the bytes were accepted, they would
 * supersede the record's own value.
 */
function isBorrowed(shown: ShownValue, memory: ValueMemory): boolean {
  const own = memory.own === null ? null : verifiedOf(memory.own)
  return own !== null && !isPlaceOf(own, shown) && memory.isAnothers
}

const isPlaceOf = (last: Pick<LastVerified, 'environmentId' | 'name'>, shown: ShownValue): boolean =>
  last.environmentId === shown.environmentId && last.name === shown.name

/** Returns the last verified value: the value held, or the one that an Unverified value keeps. */
function verifiedOf({ environmentId, name, sealed, tag, type, isSecret }: HeldValue): LastVerified | null {
  const unverified = readUnverified(sealed)
  if (unverified !== null) return unverified.last
  if (partsOfStored(sealed).binding === null) return null
  return { environmentId, name, sealed, tag, type: type ?? 'string', isSecret: isSecret ?? true }
}

/** Returns the last verified values, that of the record first. */
const lastVerified = ({ own, namesake }: ValueMemory): LastVerified[] =>
  [own, namesake].flatMap((held) => (held === null ? null : verifiedOf(held)) ?? [])

/** Makes an Unverified value. `kept`: the value in the form it would have if it were verified; null if it came in plain. */
function doubted(cipher: WorkspaceCipher, doubt: Doubt, kept: string | null, shown: ShownValue, memory: ValueMemory): VerifiedValue {
  const [last = null] = lastVerified(memory)
  const held = memory.own ?? memory.namesake
  const before = held === null ? null : readUnverified(held.sealed)
  // If the text were sealed again at each read, the same text would look like another value each time.
  const isSame = kept === null && before?.doubt === 'plain' && cipher.open(before.value) === shown.value
  const value = kept ?? (isSame ? before.value : cipher.seal(shown.value).sealed)
  const kind: Partial<Kind> =
    last !== null && isPlaceOf(last, shown) ? last : { isSecret: true, ...(shown.type !== undefined && { type: shown.type }) }
  return {
    value: { sealed: unverifiedText({ doubt, value, last }), tag: null, keyId: cipher.keyId },
    ...(kind.type !== undefined && { type: kind.type }),
    ...(kind.isSecret !== undefined && { isSecret: kind.isSecret }),
  }
}
