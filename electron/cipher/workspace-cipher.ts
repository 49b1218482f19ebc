import { bindingOf, openBound, sealBound, type ValuePlace } from './bound-value.ts'
import { deriveTagKey, equalityTag } from './equality-tag.ts'
import { keyId } from './key-id.ts'
import { wipeKey } from './key-object.ts'
import { sealedBytes } from './sealed-bytes.ts'
import { isUnverified, partsOfStored, readUnverified } from './stored-value.ts'
import { encryptValue, usePlainBytes } from './value-cipher.ts'

/** A sealed value, its equality tag (null if the key does not open it), and the id of the key of the tag. */
export interface TaggedValue {
  sealed: string
  tag: string | null
  keyId: string
}

/** Seals and tags values with the key of one workspace, and opens those of its former keys too. */
export interface WorkspaceCipher {
  /** Only tags of the same key id can be compared. */
  readonly keyId: string
  /** Seals a plaintext for the mirror and tags it. `tag`: the result of `tagOf`, if the caller has it already. */
  seal(text: string, tag?: string): TaggedValue
  /** Seals a plaintext for the wire and binds it to its variable. */
  sealFor(text: string, place: ValuePlace): string
  /**
   * Tags a value in the mirror's form; one of a former key is sealed again. Throws after `wipe`, as `openBound` does: a wrong tag would be
   * kept.
   */
  tagged(stored: string): TaggedValue
  /** Tags an unbound value of the wire; null if it is not a sealed value. Throws as `tagged` does. */
  taggedFromWire(value: string): TaggedValue | null
  /** Opens a value in the mirror's form; null if neither the key nor a former one opens it, or it is Unverified. */
  open(stored: string): string | null
  /** Opens a value in the mirror's form, even an Unverified one. Only for showing the value to the user, who decides about it. */
  openUnverified(stored: string): string | null
  /**
   * Opens a value from the wire with the present key, if it is bound to one of these places. Returns the plaintext, the first such place,
   * and its binding.
   */
  openBound<P extends ValuePlace>(sealed: string, places: readonly P[]): { text: string; place: P; binding: Buffer } | null
  /** Returns the tag of a plaintext, to compare it without sealing it. */
  tagOf(text: string): string
  /** Overwrites the key and the keys derived from it, at a lock. Afterwards nothing can be sealed or opened. */
  wipe(): void
}

/**
 * Creates the cipher of a 32-byte workspace key. `former`: keys that it had here before. A value that a service sends is never verified with
 * them: others may know a key that was wrong. The arrays are the cipher's from then on: `wipe` overwrites them. Throws TypeError on any other
 * length.
 */
export function createWorkspaceCipher(key: Uint8Array, former: readonly Uint8Array[] = []): WorkspaceCipher {
  const id = keyId(key)
  const tagKey = deriveTagKey(key)
  let isWiped = false
  const requireKey = (): void => {
    // A value sealed with a key of zeros would be lost to its owner and open to everybody. A good value opened with it would count as
    // forged.
    if (isWiped) throw new Error('The keys were locked while a value was being sealed or verified')
  }
  const openWith = (keys: readonly Uint8Array[], stored: string): string | null => {
    if (isWiped || isUnverified(stored)) return null
    const { sealed, binding } = partsOfStored(stored)
    const bytes = sealedBytes(sealed)
    if (bytes === null) return null
    for (const each of keys) {
      const text = binding === null ? usePlainBytes(each, bytes, (plain) => plain.toString('utf8')) : openBound(each, bytes, binding)
      if (text !== null) return text
    }
    return null
  }
  const keys = [key, ...former]
  const open = (stored: string): string | null => openWith(keys, stored)
  const seal: WorkspaceCipher['seal'] = (text, tag) => {
    requireKey()
    return { sealed: encryptValue(key, text), tag: tag ?? equalityTag(tagKey, text), keyId: id }
  }
  return {
    keyId: id,
    seal,
    sealFor(text, place) {
      requireKey()
      return sealBound(key, text, bindingOf(place))
    },
    tagged(stored) {
      requireKey()
      const text = openWith([key], stored)
      const formerText = text === null ? openWith(former, stored) : null
      if (formerText !== null) return seal(formerText)
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
      for (const each of keys) wipeKey(each)
      wipeKey(tagKey)
    },
  }
}
