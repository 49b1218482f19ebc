import { bindingOf, openBound, sealBound, type ValuePlace } from './bound-value.ts'
import { deriveTagKey, equalityTag } from './equality-tag.ts'
import { keyId } from './key-id.ts'
import { wipeKey } from './key-object.ts'
import { sealedBytes } from './sealed-bytes.ts'
import { isUnverified, partsOfStored, readUnverified } from './stored-value.ts'
import { encryptValue, usePlainBytes } from './value-cipher.ts'

/** A sealed value with its equality tag (null: the key does not open it), and the id of the key that made the tag. */
export interface TaggedValue {
  sealed: string
  tag: string | null
  keyId: string
}

/** One workspace's key at work. */
export interface WorkspaceCipher {
  /** Tags compare only under one key id. */
  readonly keyId: string
  /** Seals a plaintext for the mirror and tags it. `tag`: what `tagOf` gave for it, where it was asked for already. */
  seal(text: string, tag?: string): TaggedValue
  /** Seals a plaintext for the wire, to what it is the value of. */
  sealFor(text: string, place: ValuePlace): string
  /** Tags a value as the mirror keeps it. Throws once the keys are wiped, as does `openBound`: a guess would be kept. */
  tagged(stored: string): TaggedValue
  /** Tags a value of the wire that is not bound, in one look; null: it is not a sealed value. Throws as `tagged` does. */
  taggedFromWire(value: string): TaggedValue | null
  /** The plaintext of a value as the mirror keeps it; null when the key does not open it, or it is Unverified. */
  open(stored: string): string | null
  /** The same of one that may be Unverified: for its user, who decides on it. Nothing else may ask for this. */
  openUnverified(stored: string): string | null
  /** The plaintext of a value from the wire, if it is bound to one of these places; with the first such place, and its binding. */
  openBound<P extends ValuePlace>(sealed: string, places: readonly P[]): { text: string; place: P; binding: Buffer } | null
  /** The tag that `text` would get, to compare without sealing. */
  tagOf(text: string): string
  /** Overwrites the key and what was derived from it, at a lock. Nothing may be sealed or opened afterwards. */
  wipe(): void
}

/** The cipher of a 32-byte workspace key, which it takes over: `wipe` overwrites it. Throws TypeError on any other length. */
export function createWorkspaceCipher(key: Uint8Array): WorkspaceCipher {
  const id = keyId(key)
  const tagKey = deriveTagKey(key)
  let isWiped = false
  const requireKey = (): void => {
    // Sealed under a key of zeros a value would be lost to its owner and open to everybody; tried under one, a good value would count as forged.
    if (isWiped) throw new Error('The keys were locked while a value was being sealed or verified')
  }
  const open = (stored: string): string | null => {
    if (isWiped || isUnverified(stored)) return null
    const { sealed, binding } = partsOfStored(stored)
    const bytes = sealedBytes(sealed)
    if (bytes === null) return null
    return binding === null ? usePlainBytes(key, bytes, (plain) => plain.toString('utf8')) : openBound(key, bytes, binding)
  }
  return {
    keyId: id,
    seal(text, tag) {
      requireKey()
      return { sealed: encryptValue(key, text), tag: tag ?? equalityTag(tagKey, text), keyId: id }
    },
    sealFor(text, place) {
      requireKey()
      return sealBound(key, text, bindingOf(place))
    },
    tagged(stored) {
      requireKey()
      const text = open(stored)
      return { sealed: stored, tag: text === null ? null : equalityTag(tagKey, text), keyId: id }
    },
    taggedFromWire(value) {
      requireKey()
      const bytes = sealedBytes(value)
      return bytes && { sealed: value, tag: usePlainBytes(key, bytes, (plain) => equalityTag(tagKey, plain)), keyId: id }
    },
    open,
    openUnverified: (stored) => open(readUnverified(stored)?.value ?? stored),
    openBound(sealed, places) {
      requireKey()
      const bytes = sealedBytes(sealed)
      if (bytes === null) return null
      for (const place of places) {
        const binding = bindingOf(place)
        const text = openBound(key, bytes, binding)
        if (text !== null) return { text, place, binding }
      }
      return null
    },
    tagOf: (text) => equalityTag(tagKey, text),
    wipe() {
      isWiped = true
      wipeKey(key)
      wipeKey(tagKey)
    },
  }
}
